import { transitionDiagram } from "../../services/domain/order/rules/transition-diagram.ts";
import { portOutDiagram } from "../../services/domain/port-out/rules/port-out-transitions.ts";
import { deliveryDiagram } from "../../services/domain/webhook/rules/delivery-transitions.ts";

export interface StateDiagram {
  readonly of: string;
  readonly draw: () => string;
}

/** The state diagrams of each document, in their order there. */
export const DOCUMENTS: Readonly<Record<string, readonly StateDiagram[]>> = {
  "docs/ARCHITECTURE.md": [
    { of: "orders", draw: transitionDiagram },
    { of: "port-outs", draw: portOutDiagram },
  ],
  "services/webhook-sender/README.md": [{ of: "webhook deliveries", draw: deliveryDiagram }],
};

const BLOCK = /(?<=```mermaid\n)stateDiagram-v2[^]*?(?=\n```)/g;

export function diagramsIn(markdown: string): string[] {
  return markdown.match(BLOCK) ?? [];
}

/** The document with each diagram drawn from its table. */
export function withDiagrams(markdown: string, diagrams: readonly StateDiagram[]): string {
  let n = 0;
  return markdown.replace(BLOCK, (old) => {
    const diagram = diagrams[n];
    n += 1;
    return diagram?.draw() ?? old;
  });
}
