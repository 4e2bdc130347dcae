import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { OwnerTerm } from "../rules/owner-at.ts";

/**
 * An insert that records the former owners of the numbers in `lost`, a `with` expression that returns account_id,
 * phone_number, porting_order_id and activated_at. A start after the end is due to a carrier's wrong clock.
 */
export function addFormerOwners(lost: string, now: string): string {
  return `insert into orders.former_owners (phone_number, account_id, porting_order_id, since, until)
    select phone_number, account_id, porting_order_id, least(activated_at, ${now}::timestamptz), ${now}
    from ${lost} on conflict do nothing`;
}

interface TermRow {
  readonly phone_number: string;
  readonly account_id: string;
  readonly porting_order_id: string | null;
  readonly since: Date;
  readonly until: Date | null;
}

const TERMS = `select phone_number, account_id, porting_order_id, activated_at as since, null::timestamptz as until
    from orders.numbers where phone_number = any ($1::text[]) and status <> 'ported_out'
  union all
  select phone_number, account_id, porting_order_id, since, until
    from orders.former_owners where phone_number = any ($1::text[]) and until > $2`;

/** Terms of the current owners of the numbers, and of those who owned them until after `lostAfter`. */
export async function readOwnerTerms(
  db: Queryable,
  phoneNumbers: readonly string[],
  lostAfter: Date,
): Promise<Map<string, readonly OwnerTerm[]>> {
  const rows = await queryRows<TermRow>(db, {
    name: "numbers-owner-terms",
    text: TERMS,
    values: [phoneNumbers, lostAfter],
  });
  const terms = new Map<string, OwnerTerm[]>();
  for (const { phone_number, since, until, ...owner } of rows) {
    const term = { ...owner, since: since.getTime(), until: until?.getTime() ?? null };
    const known = terms.get(phone_number);
    if (known === undefined) terms.set(phone_number, [term]);
    else known.push(term);
  }
  return terms;
}
