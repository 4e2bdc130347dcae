import type { EventPayload } from "../../../messages/events.ts";
import {
  portOutSnapshot,
  type PortOut,
  type PortOutDecision,
  type PortOutNumber,
  type PortOutRejectCode,
} from "./port-out.ts";
import {
  portOutFactsOf,
  portOutMoveOf,
  portOutTargetOf,
  type PortOutTrigger,
} from "./port-out-transitions.ts";

/** The common fields of a carrier's port-out updates. */
interface ProviderReport {
  readonly provider_status: string;
  readonly foc_at: string | null;
}

export type PortOutCommand =
  /** `fault` is the result of the checks; null if they passed, so that a decision is required by `deadline`. */
  | {
      readonly command: "check";
      readonly fault: PortOutRejectCode | null;
      readonly deadline: Date;
    }
  | { readonly command: "approve"; readonly by: "customer" | "ops" }
  | {
      readonly command: "reject";
      readonly by: "customer" | "ops";
      readonly code: PortOutRejectCode;
      readonly reason: string | null;
    }
  | { readonly command: "deadline" }
  /** Another account has a number of it by now. */
  | { readonly command: "number_lost" }
  /** A number of it has left without a port-out. */
  | { readonly command: "number_released" }
  | ({ readonly command: "requested_again" } & ProviderReport)
  | ({ readonly command: "cancelled" } & ProviderReport)
  | ({
      readonly command: "completed";
      readonly phone_numbers: readonly string[];
      readonly at: Date;
    } & ProviderReport);

/** An effect of a decision besides the changed port-out; effects are applied in sequence. */
export type PortOutEffect =
  | {
      readonly effect: "event";
      readonly type: "port_out.created";
      readonly payload: EventPayload<"port_out.created">;
    }
  | {
      readonly effect: "event";
      readonly type: "port_out.status_changed";
      readonly payload: EventPayload<"port_out.status_changed">;
    }
  /** Sends the decision to the gaining carrier, possibly again. */
  | { readonly effect: "answer" }
  /** Null removes the deadline. */
  | { readonly effect: "deadline"; readonly due_at: Date | null }
  | {
      readonly effect: "mark_numbers";
      readonly status: "porting_out" | "active";
      readonly phone_numbers: readonly string[];
    }
  | { readonly effect: "leave"; readonly phone_numbers: readonly string[]; readonly at: Date };

export interface DecidedPortOut {
  readonly portOut: PortOut;
  readonly effects: readonly PortOutEffect[];
  /** When the gaining carrier says that what it reported happened; absent if it reported nothing. */
  readonly occurred_at?: Date | undefined;
}

/** Null if the state does not allow the command. */
type PortOutVerdict = DecidedPortOut | null;

/** A new port-out with its `port_out.created` event. */
export function beginPortOut(portOut: PortOut): DecidedPortOut {
  const payload = { port_out: portOutSnapshot(portOut) };
  return { portOut, effects: [{ effect: "event", type: "port_out.created", payload }] };
}

/** Decides a command on a port-out: the changed record with its effects in sequence, or null. A pure function. */
export function decidePortOut(
  portOut: PortOut,
  command: PortOutCommand,
  now: Date,
): PortOutVerdict {
  switch (command.command) {
    case "check":
      return applyChecks(portOut, command, now);
    case "approve":
      return decideByPerson(portOut, { by: command.by, at: now, code: null, reason: null });
    case "reject": {
      const { by, code, reason } = command;
      return decideByPerson(portOut, { by, at: now, code, reason });
    }
    case "deadline":
      return expire(portOut, now) ?? unmoved(portOut);
    case "number_lost":
    case "number_released":
      return rejectGone(portOut, command.command, now) ?? unmoved(portOut);
    case "requested_again":
      return requestAgain(withReport(portOut, command), now);
    case "cancelled":
      return cancel(withReport(portOut, command), now);
    case "completed":
      return complete(withReport(portOut, command), command, now);
  }
}

function unmoved(portOut: PortOut): DecidedPortOut {
  return { portOut, effects: [] };
}

/** Applies a report's status and date; a closed port-out keeps its last ones. */
function withReport(portOut: PortOut, { provider_status, foc_at }: ProviderReport): PortOut {
  if (portOutFactsOf(portOut.status).ended) return portOut;
  return { ...portOut, provider_status, foc_actual: foc_at ?? portOut.foc_actual };
}

interface Move {
  readonly trigger: PortOutTrigger;
  readonly now: Date;
  readonly fields?: Partial<PortOut>;
}

/** The port-out in its new status with the event; null if the table has no such move. */
function move(portOut: PortOut, { trigger, now, fields = {} }: Move): DecidedPortOut | null {
  if (portOutTargetOf(portOut, trigger) === null) return null;
  const previous_status = portOut.status;
  const new_status = portOutMoveOf(portOut, trigger);
  const moved = {
    ...portOut,
    decision_deadline: null,
    ...fields,
    status: new_status,
    updated_at: now,
  };
  // Each number that leaves has its own event instead.
  if (trigger === "carrier_completes") return { portOut: moved, effects: [] };
  const payload = { port_out: portOutSnapshot(moved), previous_status, new_status };
  return {
    portOut: moved,
    effects: [{ effect: "event", type: "port_out.status_changed", payload }],
  };
}

function then(
  decided: DecidedPortOut | null,
  ...effects: readonly PortOutEffect[]
): PortOutVerdict {
  return decided === null ? null : { ...decided, effects: [...decided.effects, ...effects] };
}

function applyChecks(
  portOut: PortOut,
  { fault, deadline }: Extract<PortOutCommand, { command: "check" }>,
  now: Date,
): PortOutVerdict {
  if (fault === null) {
    const fields = { decision_deadline: deadline };
    const awaiting = move(portOut, { trigger: "checks_passed", now, fields });
    return then(awaiting, { effect: "deadline", due_at: deadline });
  }
  const decision: PortOutDecision = { by: "system", at: now, code: fault, reason: null };
  const rejected = move(portOut, { trigger: "checks_failed", now, fields: { decision } });
  return then(rejected, { effect: "answer" });
}

function decideByPerson(portOut: PortOut, decision: PortOutDecision): PortOutVerdict {
  const approves = decision.code === null;
  const trigger = approves ? "approve" : "reject";
  const decided = move(portOut, { trigger, now: decision.at, fields: { decision } });
  return then(
    decided,
    { effect: "deadline", due_at: null },
    ...(approves ? [markRest(portOut, "porting_out")] : []),
    { effect: "answer" },
  );
}

/** Marks the numbers that have not left by this port-out: one that has may be back since, and leaving by another. */
function markRest({ numbers }: PortOut, status: "porting_out" | "active"): PortOutEffect {
  const rest = numbers.filter((one) => one.ported_out_at === null);
  return { effect: "mark_numbers", status, phone_numbers: rest.map((one) => one.phone_number) };
}

/** Without a decision the port-out proceeds, because a carrier may not delay a port by not answering. */
function expire(portOut: PortOut, now: Date): PortOutVerdict {
  return then(
    move(portOut, { trigger: "deadline", now }),
    { effect: "deadline", due_at: null },
    markRest(portOut, "porting_out"),
    { effect: "answer" },
  );
}

/**
 * Where another account has the number, what was agreed to goes on: it may be leaving by this very port-out. A released
 * number takes the agreement back.
 */
function rejectGone(
  portOut: PortOut,
  trigger: "number_lost" | "number_released",
  now: Date,
): PortOutVerdict {
  const code = trigger === "number_lost" ? "number_not_on_account" : "number_not_active";
  const decision: PortOutDecision = { by: "system", at: now, code, reason: null };
  return then(
    move(portOut, { trigger, now, fields: { decision } }),
    { effect: "deadline", due_at: null },
    ...(portOutFactsOf(portOut.status).answered ? [markRest(portOut, "active")] : []),
    { effect: "answer" },
  );
}

/** A carrier that repeats its request has not received the answer, so it is sent again. */
function requestAgain(portOut: PortOut, now: Date): PortOutVerdict {
  const decided = unmoved({ ...portOut, updated_at: now });
  return portOutFactsOf(portOut.status).answered ? then(decided, { effect: "answer" }) : decided;
}

function cancel(portOut: PortOut, now: Date): PortOutVerdict {
  const cancelled = then(
    move(portOut, { trigger: "carrier_cancels", now }),
    { effect: "deadline", due_at: null },
    markRest(portOut, "active"),
  );
  return cancelled ?? unmoved(portOut);
}

/** Numbers leave as the carrier reports them; the port-out is complete with the last one. */
function complete(
  portOut: PortOut,
  { phone_numbers, at }: Extract<PortOutCommand, { command: "completed" }>,
  now: Date,
): PortOutVerdict {
  if (portOutTargetOf(portOut, "carrier_completes") === null) return unmoved(portOut);
  const named = new Set(phone_numbers);
  const leaves = (one: PortOutNumber): boolean =>
    one.ported_out_at === null && named.has(one.phone_number);
  const leaving = portOut.numbers.filter(leaves).map((one) => one.phone_number);
  if (leaving.length === 0) return unmoved(portOut);
  const numbers = portOut.numbers.map((one) => (leaves(one) ? { ...one, ported_out_at: at } : one));
  const left = { ...portOut, numbers, updated_at: now };
  const leave = { effect: "leave", phone_numbers: leaving, at } as const;
  if (numbers.some((one) => one.ported_out_at === null)) return then(unmoved(left), leave);
  const done = move(left, { trigger: "carrier_completes", now });
  return then(done, { effect: "deadline", due_at: null }, leave);
}
