import { transitionDiagram } from "../../services/domain/order/rules/transition-diagram.ts";
import { portOutDiagram } from "../../services/domain/port-out/rules/port-out-transitions.ts";

/** The document with the state diagrams, in this order. */
export const DOCUMENT = "docs/ARCHITECTURE.md";

export const STATE_DIAGRAMS: readonly { readonly of: string; readonly draw: () => string }[] = [
  { of: "orders", draw: transitionDiagram },
  { of: "port-outs", draw: portOutDiagram },
];

const BLOCK = /(?<=```mermaid\n)stateDiagram-v2[^]*?(?=\n```)/g;

export function diagramsIn(markdown: string): string[] {
  return markdown.match(BLOCK) ?? [];
}

/** The document with each diagram drawn from its table. */
export function withDiagrams(markdown: string): string {
  let n = 0;
  return markdown.replace(BLOCK, (old) => {
    const diagram = STATE_DIAGRAMS[n];
    n += 1;
    return diagram?.draw() ?? old;
  });
}
