import type { TraceEntry } from "../queries.ts";

/** What one change caused, from the request to the receiver's answer, in the sequence in which it happened. */
export interface TraceGroup {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly entries: readonly TraceEntry[];
  /** A step failed, or is not done yet. */
  readonly isOpen: boolean;
}

const STEPS: readonly TraceEntry["step"][] = [
  "request",
  "change",
  "outbox",
  "topic",
  "handler",
  "dead_letter",
  "event",
  "delivery",
  "attempt",
];

/** Steps that a change's own transaction writes at one instant. */
const AT_ONCE: readonly TraceEntry["step"][] = ["request", "change", "outbox"];

/** The trace as one line per change, the latest change first. Steps belong together that share an id or an instant. */
export function groupTrace(entries: readonly TraceEntry[]): readonly TraceGroup[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    const parent = parents.get(key);
    if (parent === undefined || parent === key) return key;
    const root = rootOf(parent);
    parents.set(key, root);
    return root;
  };
  const keys = entries.map(keysOf);
  for (const [first = "", ...others] of keys) {
    for (const other of others) parents.set(rootOf(other), rootOf(first));
  }
  const groups = new Map<string, TraceEntry[]>();
  for (const [index, entry] of entries.entries()) {
    const root = rootOf(keys[index]?.[0] ?? "");
    groups.set(root, [...(groups.get(root) ?? []), entry]);
  }
  return [...groups.values()].map(groupOf).toSorted((a, b) => b.at.localeCompare(a.at));
}

function keysOf(entry: TraceEntry): readonly string[] {
  const { id, at, step, request_id, message_id, trace_id, event_id, delivery_id } = entry;
  const links = { request_id, message_id, trace_id, event_id, delivery_id };
  return [
    `entry ${id}`,
    ...Object.entries(links).flatMap(([name, value]) =>
      value === null ? [] : [`${name} ${value}`],
    ),
    ...(AT_ONCE.includes(step) ? [`at ${at}`] : []),
  ];
}

function groupOf(entries: readonly TraceEntry[]): TraceGroup {
  const sorted = entries.toSorted(
    (a, b) => a.at.localeCompare(b.at) || STEPS.indexOf(a.step) - STEPS.indexOf(b.step),
  );
  const first = sorted[0];
  const cause = sorted.find(({ step }) => step === "request") ?? first;
  return {
    id: first?.id ?? "",
    at: first?.at ?? "",
    title: cause?.name ?? "",
    entries: sorted,
    isOpen: sorted.some(isUnfinished),
  };
}

const UNFINISHED: readonly string[] = ["waiting", "parked", "pending", "retrying", "failed"];

export function isUnfinished({ state }: TraceEntry): boolean {
  return state !== null && UNFINISHED.includes(state);
}
