import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Forwarding } from "../rules/platform-number.ts";
import type { NumberSettings } from "../rules/number-settings.ts";

/** How the numbers of an account's next orders are set; `updated_at` is null until that is set. */
export interface NumberDefaults {
  readonly forwarding: Pick<Forwarding, "primary" | "fallback"> | null;
  readonly port_out_lock: boolean;
  readonly updated_at: Date | null;
}

const NONE: NumberDefaults = { forwarding: null, port_out_lock: false, updated_at: null };

export async function findDefaults(db: Queryable, accountId: string): Promise<NumberDefaults> {
  const [row] = await queryRows<NumberDefaults & Record<string, unknown>>(db, {
    name: "number-defaults",
    text: `select forwarding, port_out_lock, updated_at from accounts.number_defaults
      where account_id = $1`,
    values: [accountId],
  });
  return row ?? NONE;
}

const WRITE = `insert into accounts.number_defaults as d (account_id, forwarding, port_out_lock, updated_at)
  values ($1, $2, coalesce($4, false), $5)
  on conflict (account_id) do update set
    forwarding = case when $3 then excluded.forwarding else d.forwarding end,
    port_out_lock = coalesce($4, d.port_out_lock), updated_at = $5
  returning forwarding, port_out_lock, updated_at`;

/** What is absent keeps its value; returns all that is then set. */
export async function writeDefaults(
  tx: Queryable,
  accountId: string,
  given: Pick<NumberSettings, "forwarding" | "port_out_lock"> & { readonly at: Date },
): Promise<NumberDefaults> {
  const { forwarding, port_out_lock: lock = null, at } = given;
  const to = forwarding == null ? null : JSON.stringify(forwarding);
  const [row] = await queryRows<NumberDefaults & Record<string, unknown>>(tx, {
    name: "number-defaults-write",
    text: WRITE,
    values: [accountId, to, forwarding !== undefined, lock, at],
  });
  return row ?? NONE;
}
