import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

export interface HandledRetention {
  readonly now: Date;
  /** 0 keeps all for ever. */
  readonly retentionMs: number;
}

/**
 * Deletes what consumers noted as handled longer ago than the retention, some thousand rows at a time; how many. Those
 * of the webhooks' fan-out always stay.
 */
export async function forgetHandled(
  db: Queryable,
  { now, retentionMs }: HandledRetention,
  mayGoOn: () => boolean,
): Promise<number> {
  if (retentionMs === 0) return 0;
  const before = new Date(now.getTime() - retentionMs);
  let forgotten = 0;
  while (mayGoOn()) {
    const [row] = await queryRows<{ deleted: number }>(db, {
      text: "select messaging.forget_handled($1) as deleted",
      values: [before],
    });
    const deleted = row?.deleted ?? 0;
    forgotten += deleted;
    if (deleted === 0) break;
  }
  return forgotten;
}
