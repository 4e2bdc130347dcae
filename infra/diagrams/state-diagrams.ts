import { ORDER_STATUSES } from "../../services/domain/order/rules/order.ts";
import { targetsOf, TRIGGERS } from "../../services/domain/order/rules/transitions.ts";
import { portOutDiagram } from "../../services/domain/port-out/rules/port-out-transitions.ts";
import { deliveryDiagram } from "../../services/domain/webhook/rules/delivery-transitions.ts";
import { diagramOf } from "../../services/platform/transition-table.ts";

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

/** The transition table as a Mermaid state diagram, included in docs/ARCHITECTURE.md. */
function transitionDiagram(): string {
  return diagramOf({
    statuses: ORDER_STATUSES,
    triggers: TRIGGERS,
    first: ORDER_STATUSES[0],
    targetsOf,
  });
}
