import { diagramOf } from "../../../platform/transition-table.ts";
import { ORDER_STATUSES } from "./order.ts";
import { targetsOf, TRIGGERS } from "./transitions.ts";

/** The transition table as a Mermaid state diagram, included in docs/ARCHITECTURE.md. */
export function transitionDiagram(): string {
  return diagramOf({
    statuses: ORDER_STATUSES,
    triggers: TRIGGERS,
    first: ORDER_STATUSES[0],
    targetsOf,
  });
}
