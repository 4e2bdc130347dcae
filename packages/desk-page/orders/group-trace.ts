import { TRACE_STEPS } from "../../../services/domain/order/rules/trace-steps.ts";
import { STATUS_WORDS, type OrderStatus, type TraceEntry } from "./orders.ts";

/** What one change caused, from the request to the receiver's answer, in the sequence in which it happened. */
export interface TraceGroup {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly entries: readonly TraceEntry[];
  /** Steps that failed, or are not done yet. */
  readonly open: readonly TraceEntry[];
}

/** A step between when what led to it was done and when it was, both from 0 to 1 of the group's time. */
export interface TraceSpan {
  readonly entry: TraceEntry;
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

/** A group's steps in time: each begins with the last step before it of the same message, event or delivery. */
export function waterfallOf({ entries }: TraceGroup): readonly TraceSpan[] {
  const times = entries.map(({ at }) => Date.parse(at));
  const [start = 0] = times;
  const total = Math.max(1, (times.at(-1) ?? 0) - start);
  return entries.map((entry, index) => {
    const own = idsOf(entry);
    const led = entries
      .slice(0, index)
      .findLastIndex((one) => idsOf(one).some((id) => own.includes(id)));
    const to = times[index] ?? 0;
    const from = times[led === -1 ? Math.max(0, index - 1) : led] ?? to;
    return { entry, from: (from - start) / total, to: (to - start) / total, ms: to - from };
  });
}

function idsOf({ message_id, event_id, delivery_id, request_id }: TraceEntry): readonly string[] {
  const given = delivery_id === null ? [message_id, event_id, request_id] : [delivery_id, event_id];
  return given.filter((one) => one !== null);
}

/** Steps of one transaction, which have no id in common. */
const AT_ONCE: readonly TraceEntry["step"][] = ["request", "change", "outbox"];

/** The longest time between two steps of one transaction; its clock is the service's for some, Postgres's for others. */
const AT_ONCE_MS = 100;

/** The trace as one line per change, the latest change first. Steps belong together by an id, or by one transaction. */
export function groupTrace(entries: readonly TraceEntry[]): readonly TraceGroup[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    const parent = parents.get(key);
    if (parent === undefined || parent === key) return key;
    const root = rootOf(parent);
    parents.set(key, root);
    return root;
  };
  const join = (one: string, other: string) => parents.set(rootOf(other), rootOf(one));
  const keys = entries.map(keysOf);
  for (const [first = "", ...others] of keys) {
    for (const other of others) join(first, other);
  }
  const steps = entries.filter(({ step }) => AT_ONCE.includes(step)).toSorted(byTime);
  for (const [index, { id, at }] of steps.entries()) {
    const before = steps[index - 1];
    if (before === undefined || Date.parse(at) - Date.parse(before.at) > AT_ONCE_MS) continue;
    join(`entry ${before.id}`, `entry ${id}`);
  }
  const groups = new Map<string, TraceEntry[]>();
  for (const [index, entry] of entries.entries()) {
    const root = rootOf(keys[index]?.[0] ?? "");
    groups.set(root, [...(groups.get(root) ?? []), entry]);
  }
  return [...groups.values()].map(groupOf).toSorted((a, b) => b.at.localeCompare(a.at));
}

function keysOf(entry: TraceEntry): readonly string[] {
  const { id, request_id, message_id, event_id, delivery_id } = entry;
  // Not the trace id: it goes on through every later change that this one causes.
  const links = { request_id, delivery_id };
  // An event's id is that of its message.
  const messages = [message_id, event_id].filter((one) => one !== null);
  return [
    `entry ${id}`,
    ...messages.map((one) => `message ${one}`),
    ...Object.entries(links).flatMap(([name, value]) =>
      value === null ? [] : [`${name} ${value}`],
    ),
  ];
}

function groupOf(entries: readonly TraceEntry[]): TraceGroup {
  const sorted = entries.toSorted(byTime);
  const first = sorted[0];
  const requests = sorted.filter(({ step }) => step === "request");
  const cause = requests.find(({ name }) => !name.endsWith(".viewed")) ?? requests[0] ?? first;
  return {
    id: first?.id ?? "",
    at: first?.at ?? "",
    title: [cause?.name ?? "", ...sorted.flatMap(moveOf)].join(" · "),
    entries: sorted,
    // Whether a delivery goes on after a failed attempt, the delivery itself says.
    open: sorted.filter((one) => one.step !== "attempt" && isUnfinished(one)),
  };
}

function byTime(a: TraceEntry, b: TraceEntry): number {
  return a.at.localeCompare(b.at) || TRACE_STEPS.indexOf(a.step) - TRACE_STEPS.indexOf(b.step);
}

/** `Submitted → In process`, where a step of the timeline says so. */
function moveOf({ step, value }: TraceEntry): readonly string[] {
  const { previous_status: before, new_status: after } = value ?? {};
  if (step !== "change" || !isStatus(before) || !isStatus(after)) return [];
  return [`${STATUS_WORDS[before].name} → ${STATUS_WORDS[after].name}`];
}

function isStatus(value: unknown): value is OrderStatus {
  return typeof value === "string" && value in STATUS_WORDS;
}

const UNFINISHED: readonly string[] = ["waiting", "parked", "pending", "retrying", "failed"];

function isUnfinished({ state }: TraceEntry): boolean {
  return state !== null && UNFINISHED.includes(state);
}
