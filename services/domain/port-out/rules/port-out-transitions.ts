import type { PortOutStatus } from "./port-out.ts";
import { PORT_OUT_STATUSES } from "./port-out.ts";

/** What can move a port-out: our own checks, people, the clock, the asking carrier. */
export const PORT_OUT_TRIGGERS = [
  "checks_failed",
  "checks_passed",
  "approve",
  "reject",
  "deadline",
  "carrier_cancels",
  "carrier_completes",
] as const;

export type PortOutTrigger = (typeof PORT_OUT_TRIGGERS)[number];

const GOING_AHEAD = { carrier_cancels: "cancelled", carrier_completes: "ported_out" } as const;

/**
 * The one source of every move of a port-out (docs/contract/customer-api.md, Numbers and port-outs). What is not here
 * is refused, or for a carrier's update and the clock no move.
 */
export const PORT_OUT_TRANSITIONS = {
  requested: {
    checks_failed: "rejected",
    checks_passed: "decision_required",
    carrier_completes: "ported_out",
  },
  decision_required: {
    approve: "approved",
    reject: "rejected",
    deadline: "expired",
    ...GOING_AHEAD,
  },
  approved: GOING_AHEAD,
  expired: GOING_AHEAD,
  rejected: { carrier_completes: "ported_out" },
  cancelled: {},
  ported_out: {},
} as const satisfies Record<PortOutStatus, Partial<Record<PortOutTrigger, PortOutStatus>>>;

/** Where a trigger leads; null where it moves nothing. */
export function portOutTarget(from: PortOutStatus, trigger: PortOutTrigger): PortOutStatus | null {
  const row: Partial<Record<PortOutTrigger, PortOutStatus>> = PORT_OUT_TRANSITIONS[from];
  return row[trigger] ?? null;
}

const OPEN: ReadonlySet<PortOutStatus> = new Set<PortOutStatus>([
  "requested",
  "decision_required",
  "approved",
  "expired",
]);

/** While a port-out is open, no other one may have its numbers. */
export function isOpenPortOut(status: PortOutStatus): boolean {
  return OPEN.has(status);
}

/** The table as a Mermaid state diagram, which docs/ARCHITECTURE.md shows. */
export function portOutDiagram(): string {
  const moves = PORT_OUT_STATUSES.flatMap((from) =>
    PORT_OUT_TRIGGERS.flatMap((trigger) => {
      const to = portOutTarget(from, trigger);
      return to === null ? [] : [`  ${from} --> ${to}: ${trigger}`];
    }),
  );
  return ["stateDiagram-v2", "  [*] --> requested", ...moves].join("\n");
}
