import { conditionsOf, type FilterConditions } from "../../../platform/db/filter-conditions.ts";
import { boundValues } from "../../../platform/db/recordset.ts";
import type { CreatedWithin } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Keyset } from "../../../platform/http/paging.ts";
import type { OwnerTerm } from "../rules/owner-at.ts";
import type { PlatformNumber } from "../rules/platform-number.ts";

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

/** A released number has left, as a ported one has: only what is shown tells them apart. */
const SHOWN_STATUS =
  "case when status = 'ported_out' and released is not null then 'released' else status end";

export const NUMBER_COLUMNS = `phone_number, ${SHOWN_STATUS} as status, country_code, number_type, provider,
  case when porting_order_id is null then 'imported' else 'ported' end as source, porting_order_id, activated_at,
  case when status = 'ported_out' then released - 'note' end as release, forwarding, port_out_lock, port_out_pin is not null as port_out_pin_set,
  coalesce(configuration -> 'tags', '[]') as tags, configuration ->> 'connection_ref' as connection_ref,
  configuration ->> 'messaging_ref' as messaging_ref,
  configuration ->> 'emergency_address_ref' as emergency_address_ref`;

/** Finds an account's number. @throws `not_found` */
export async function findNumber(
  db: Queryable,
  accountId: string,
  phoneNumber: string,
): Promise<PlatformNumber> {
  const [row] = await queryRows<PlatformNumber>(db, {
    text: `select ${NUMBER_COLUMNS} from orders.numbers where account_id = $1 and phone_number = $2`,
    values: [accountId, phoneNumber],
  });
  if (row === undefined) throw unknownNumber();
  return row;
}

export function unknownNumber(): AppError {
  return new AppError("not_found", "There is no such number.");
}

/** `created_after` and `created_before` limit the time of activation. */
export interface NumberFilter extends CreatedWithin {
  readonly status?: readonly PlatformNumber["status"][] | undefined;
  readonly country_code?: string | undefined;
  readonly porting_order_id?: string | undefined;
}

const CONDITIONS = {
  status: (at: string) => `${SHOWN_STATUS} = any (${at}::text[])`,
  country_code: (at: string) => `country_code = ${at}`,
  porting_order_id: (at: string) => `porting_order_id = ${at}`,
  created_after: (at: string) => `activated_at >= ${at}::timestamptz`,
  created_before: (at: string) => `activated_at < ${at}::timestamptz`,
} as const satisfies FilterConditions<NumberFilter>;

/** An account's numbers by activation time, then by number, in scan order; the number itself is the cursor. */
export async function listNumbers(
  db: Queryable,
  {
    accountId,
    scan,
    filter,
  }: { readonly accountId: string; readonly scan: Keyset; readonly filter: NumberFilter },
): Promise<PlatformNumber[]> {
  const { values, bind } = boundValues(accountId, scan.fetch, scan.cursorId);
  const conditions = conditionsOf<NumberFilter>(CONDITIONS, filter, bind);
  return queryRows<PlatformNumber>(db, {
    text: `select ${NUMBER_COLUMNS} from orders.numbers
      where account_id = $1
        and ($3::text is null or (activated_at, phone_number) ${scan.comparison}
          (select activated_at, phone_number from orders.numbers where account_id = $1 and phone_number = $3))
        ${conditions.map((one) => `and ${one}`).join(" ")}
      order by activated_at ${scan.direction}, phone_number ${scan.direction} limit $2`,
    values,
  });
}
