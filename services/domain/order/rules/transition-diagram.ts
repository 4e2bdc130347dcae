import { ORDER_STATUSES, TERMINAL_STATUSES } from "./order.ts";
import { targetsOf, TRIGGERS } from "./transitions.ts";

/** The transition table as a Mermaid state diagram, which docs/ARCHITECTURE.md shows. */
export function transitionDiagram(): string {
  const moves = ORDER_STATUSES.flatMap((from) =>
    TRIGGERS.flatMap((trigger) =>
      targetsOf(from, trigger).map((to) => `  ${from} --> ${to}: ${trigger}`),
    ),
  );
  const ends = [...TERMINAL_STATUSES].map((status) => `  ${status} --> [*]`);
  return ["stateDiagram-v2", "  [*] --> draft", ...moves, ...ends].join("\n");
}
