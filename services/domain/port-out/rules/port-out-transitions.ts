import {
  diagramOf,
  transitionsOf,
  type TransitionTable,
} from "../../../platform/transition-table.ts";
import { PORT_OUT_STATUSES, type PortOut, type PortOutStatus } from "./port-out.ts";

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
} as const satisfies TransitionTable<PortOutStatus, PortOutTrigger>;

type Standing = Pick<PortOut, "status">;

export const {
  targetOf: portOutTargetOf,
  moveOf: portOutMoveOf,
  targetsOf: portOutTargetsOf,
} = transitionsOf<Standing, PortOutStatus, PortOutTrigger>(PORT_OUT_TRANSITIONS);

interface PortOutFacts {
  /** No other port-out may have its numbers. */
  readonly open: boolean;
  /** The asking carrier has its answer, and is given it again where it asks again. */
  readonly answered: boolean;
  /** Over: what a carrier still reports changes nothing of the record. */
  readonly ended: boolean;
}

const PORT_OUT_FACTS: Readonly<Record<PortOutStatus, PortOutFacts>> = {
  requested: { open: true, answered: false, ended: false },
  decision_required: { open: true, answered: false, ended: false },
  approved: { open: true, answered: true, ended: false },
  rejected: { open: false, answered: true, ended: false },
  expired: { open: true, answered: true, ended: false },
  cancelled: { open: false, answered: false, ended: true },
  ported_out: { open: false, answered: false, ended: true },
};

export function portOutFactsOf(status: PortOutStatus): PortOutFacts {
  return PORT_OUT_FACTS[status];
}

export function isOpenPortOut(status: PortOutStatus): boolean {
  return PORT_OUT_FACTS[status].open;
}

/** The table as a Mermaid state diagram, which docs/ARCHITECTURE.md shows. */
export function portOutDiagram(): string {
  return diagramOf({
    statuses: PORT_OUT_STATUSES,
    triggers: PORT_OUT_TRIGGERS,
    first: PORT_OUT_STATUSES[0],
    targetsOf: portOutTargetsOf,
  });
}
