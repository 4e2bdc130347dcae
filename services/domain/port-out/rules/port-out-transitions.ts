import {
  diagramOf,
  transitionsOf,
  type TransitionTable,
} from "../../../platform/transition-table.ts";
import { PORT_OUT_STATUSES, type PortOut, type PortOutStatus } from "./port-out.ts";

/** What can move a port-out: our own checks, people, time, a number that is gone, the gaining carrier. */
export const PORT_OUT_TRIGGERS = [
  "checks_failed",
  "checks_passed",
  "approve",
  "reject",
  "deadline",
  "number_lost",
  "number_released",
  "carrier_cancels",
  "carrier_completes",
] as const;

export type PortOutTrigger = (typeof PORT_OUT_TRIGGERS)[number];

const GOING_AHEAD = {
  number_released: "rejected",
  carrier_cancels: "cancelled",
  carrier_completes: "ported_out",
} as const;

/**
 * The one source of every move of a port-out (docs/contract/customer-api.md, Numbers and port-outs). Any other move is
 * refused; carriers' updates and deadlines then change nothing.
 */
export const PORT_OUT_TRANSITIONS = {
  requested: {
    checks_failed: "rejected",
    checks_passed: "decision_required",
    number_lost: "rejected",
    number_released: "rejected",
    carrier_completes: "ported_out",
  },
  decision_required: {
    approve: "approved",
    reject: "rejected",
    deadline: "expired",
    number_lost: "rejected",
    ...GOING_AHEAD,
  },
  approved: GOING_AHEAD,
  expired: GOING_AHEAD,
  rejected: { carrier_completes: "ported_out" },
  cancelled: {},
  ported_out: {},
} as const satisfies TransitionTable<PortOutStatus, PortOutTrigger>;

type WithStatus = Pick<PortOut, "status">;

export const {
  targetOf: portOutTargetOf,
  moveOf: portOutMoveOf,
  targetsOf: portOutTargetsOf,
} = transitionsOf<WithStatus, PortOutStatus, PortOutTrigger>(PORT_OUT_TRANSITIONS);

interface PortOutFacts {
  /** Its numbers may not be in another port-out. */
  readonly open: boolean;
  /** The gaining carrier has been answered; a repeated request is answered again. */
  readonly answered: boolean;
  /** Closed: later updates of the carrier change nothing. */
  readonly ended: boolean;
  /** Who moves a port-out here; `decider` is whoever its decision names. */
  readonly movedBy: "carrier" | "system" | "decider";
}

const PORT_OUT_FACTS: Readonly<Record<PortOutStatus, PortOutFacts>> = {
  requested: { open: true, answered: false, ended: false, movedBy: "carrier" },
  decision_required: { open: true, answered: false, ended: false, movedBy: "system" },
  approved: { open: true, answered: true, ended: false, movedBy: "decider" },
  rejected: { open: false, answered: true, ended: false, movedBy: "decider" },
  expired: { open: true, answered: true, ended: false, movedBy: "system" },
  cancelled: { open: false, answered: false, ended: true, movedBy: "carrier" },
  ported_out: { open: false, answered: false, ended: true, movedBy: "carrier" },
};

export function portOutFactsOf(status: PortOutStatus): PortOutFacts {
  return PORT_OUT_FACTS[status];
}

/** The numbers are about to leave: the port-out was approved, or its deadline passed without a decision. */
export const AGREED_PORT_OUT_STATUSES = PORT_OUT_STATUSES.filter(
  (status) => PORT_OUT_FACTS[status].open && PORT_OUT_FACTS[status].answered,
);

export function isOpenPortOut(status: PortOutStatus): boolean {
  return PORT_OUT_FACTS[status].open;
}

/** The table as a Mermaid state diagram, included in docs/ARCHITECTURE.md. */
export function portOutDiagram(): string {
  return diagramOf({
    statuses: PORT_OUT_STATUSES,
    triggers: PORT_OUT_TRIGGERS,
    first: PORT_OUT_STATUSES[0],
    targetsOf: portOutTargetsOf,
  });
}
