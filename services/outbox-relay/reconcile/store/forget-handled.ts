import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

export interface HandledRetention {
  readonly now: Date;
  /** 0 keeps everything forever. */
  readonly retentionMs: number;
}

const FORGET = {
  inbox: "select messaging.forget_handled($1) as deleted",
  /** Carriers' updates, port-out updates and calls, each provider's last update excepted. */
  carriers: "select carriers.forget_handled($1) as deleted",
};

/**
 * Deletes the records of what was handled longer ago than the retention, a few thousand at a time; returns how many.
 * Those of the webhook fan-out are always kept.
 */
export async function forgetHandled(
  db: Queryable,
  { now, retentionMs }: HandledRetention,
  mayGoOn: () => boolean,
): Promise<number> {
  if (retentionMs === 0) return 0;
  const before = new Date(now.getTime() - retentionMs);
  let forgotten = 0;
  for (const text of Object.values(FORGET)) {
    while (mayGoOn()) {
      const [row] = await queryRows<{ deleted: number }>(db, { text, values: [before] });
      const deleted = row?.deleted ?? 0;
      forgotten += deleted;
      if (deleted === 0) break;
    }
  }
  return forgotten;
}
