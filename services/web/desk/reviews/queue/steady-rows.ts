import type { QueuedCase } from "../types.ts";

export interface SteadyRow extends QueuedCase {
  /** It has left the list since the list was shown. */
  readonly isGone: boolean;
}

export interface SteadyRows {
  readonly rows: readonly SteadyRow[];
  readonly newCount: number;
  readonly goneCount: number;
}

/** The rows that are shown, in their places with their present facts; what is new waits to be asked for. */
export function steadyRows(
  shown: readonly QueuedCase[],
  present: readonly QueuedCase[],
): SteadyRows {
  const now = new Map(present.map((one) => [one.order_id, one]));
  const rows = shown.map((one) => {
    const current = now.get(one.order_id);
    return { ...(current ?? one), isGone: current === undefined };
  });
  const known = new Set(shown.map(({ order_id: id }) => id));
  return {
    rows,
    newCount: present.filter(({ order_id: id }) => !known.has(id)).length,
    goneCount: rows.filter(({ isGone }) => isGone).length,
  };
}
