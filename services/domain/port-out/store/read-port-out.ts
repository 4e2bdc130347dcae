import { conditionsOf, type FilterConditions } from "../../../platform/db/filter-conditions.ts";
import {
  countRows,
  pageText,
  type PageStatement,
  type Total,
} from "../../../platform/db/count-rows.ts";
import { boundValues, type BoundValues } from "../../../platform/db/recordset.ts";
import {
  cutPage,
  cutPageById,
  idRange,
  pageByKey,
  rowsOfPage,
  type CreatedWithin,
  type CutRow,
  type IdRange,
} from "../../../platform/db/id-range.ts";
import { lockThenRead, queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Keyset, PageRows } from "../../../platform/http/paging.ts";
import {
  rejectionCodesOf,
  type NumberProtection,
  type RejectionCode,
} from "../rules/rejection-codes.ts";
import type { PortOutRef } from "../rules/requester.ts";
import type { PortOut, PortOutDecision, PortOutNumber, PortOutStatus } from "../rules/port-out.ts";

/** Columns of `orders.port_outs p` with its numbers, in the order in which they were requested. */
export const PORT_OUT_COLUMNS = `p.id, p.account_id, p.provider, p.port_out_ref, p.status, p.gaining_carrier,
  p.requested_foc, p.foc_actual, p.decision_deadline, p.decision, p.provider_status, p.event_sequence,
  p.unanswered_comment_at, p.created_at, p.updated_at,
  (select jsonb_agg(jsonb_build_object('phone_number', n.phone_number, 'porting_order_id', n.porting_order_id,
    'ported_out_at', n.ported_out_at) order by n.position) from orders.port_out_numbers n where n.port_out_id = p.id) as numbers`;

type InJson<T> = { readonly [K in keyof T]: T[K] extends Date | null ? string | null : T[K] };

export interface PortOutRow extends Omit<PortOut, "numbers" | "decision"> {
  readonly numbers: readonly InJson<PortOutNumber>[];
  readonly decision: (Omit<PortOutDecision, "at"> & { readonly at: string }) | null;
}

type Read<R> = Omit<R, "numbers" | "decision"> & Pick<PortOut, "numbers" | "decision">;

export function toPortOut<R extends Pick<PortOutRow, "numbers" | "decision">>({
  numbers,
  decision,
  ...row
}: R): Read<R> {
  return {
    ...row,
    decision: decision === null ? null : { ...decision, at: new Date(decision.at) },
    numbers: numbers.map(({ ported_out_at, ...number }) => ({
      ...number,
      ported_out_at: ported_out_at === null ? null : new Date(ported_out_at),
    })),
  };
}

const READ = `select ${PORT_OUT_COLUMNS} from orders.port_outs p where p.id = $1 and p.account_id is not null`;

const LOCK = {
  name: "port-out",
  lock: "select id from orders.port_outs where id = $1 and account_id is not null for update",
  read: READ,
};

/** Locks a port-out; null if there is none that belongs to an account. */
export async function lockPortOut(tx: Queryable, id: string): Promise<PortOut | null> {
  const [row] = await lockThenRead<PortOutRow>(tx, LOCK, [id]);
  return row === undefined ? null : toPortOut(row);
}

/** Locks an account's port-out, or any account's if `accountId` is null. @throws `not_found` */
export async function lockPortOutOf(
  tx: Queryable,
  accountId: string | null,
  id: string,
): Promise<PortOut> {
  const portOut = await lockPortOut(tx, id);
  if (portOut === null || (accountId !== null && portOut.account_id !== accountId)) {
    throw unknownPortOut();
  }
  return portOut;
}

async function readPortOut(db: Queryable, id: string): Promise<PortOut | null> {
  const [row] = await queryRows<PortOutRow>(db, {
    name: "port-out-read",
    text: READ,
    values: [id],
  });
  return row === undefined ? null : toPortOut(row);
}

/** Finds a port-out of any account. @throws `not_found` */
export async function findAnyPortOut(db: Queryable, id: string): Promise<PortOut> {
  const found = await readPortOut(db, id);
  if (found === null) throw unknownPortOut();
  return found;
}

/** A port-out as the desk sees it; one of no account holds the answer about numbers that nobody has. */
export type DeskPortOut = Omit<PortOut, "account_id"> & { readonly account_id: string | null };

type DeskRow = Omit<PortOutRow, "account_id"> & Pick<DeskPortOut, "account_id">;

/** Finds one of the port-outs that the desk lists. @throws `not_found` */
export async function findDeskPortOut(db: Queryable, id: string): Promise<DeskPortOut> {
  const [row] = await queryRows<DeskRow>(db, {
    name: "port-out-of-desk",
    text: `select ${PORT_OUT_COLUMNS} from orders.port_outs p where p.id = $1`,
    values: [id],
  });
  if (row === undefined) throw unknownPortOut();
  return toPortOut(row);
}

/** The numbers that were requested under a reference, of every account and of none. */
export async function readRequestedNumbers(
  db: Queryable,
  { provider, port_out_ref }: PortOutRef,
): Promise<string[]> {
  const rows = await queryRows<{ phone_number: string }>(db, {
    text: `select n.phone_number from orders.port_outs p
      join orders.port_out_numbers n on n.port_out_id = p.id
      where p.provider = $1 and p.port_out_ref = $2`,
    values: [provider, port_out_ref],
  });
  return rows.map((row) => row.phone_number);
}

/** The codes for rejecting a port-out, by how its numbers are protected now. */
export async function readRejectionCodes(
  db: Queryable,
  { account_id, numbers }: Pick<PortOut, "account_id" | "numbers">,
  now: Date,
): Promise<RejectionCode[]> {
  const protections = await queryRows<NumberProtection>(db, {
    name: "port-out-protections",
    text: `select port_out_lock, pin_locked_until, port_out_pin is not null as port_out_pin_set
      from orders.numbers
      where account_id = $1 and phone_number = any ($2::text[]) and status <> 'ported_out'`,
    values: [account_id, numbers.map((number) => number.phone_number)],
  });
  return rejectionCodesOf(protections, now);
}

/** Finds an account's port-out. @throws `not_found` */
export async function findPortOut(db: Queryable, accountId: string, id: string): Promise<PortOut> {
  const found = await readPortOut(db, id);
  if (found?.account_id !== accountId) throw unknownPortOut();
  return found;
}

function unknownPortOut(): AppError {
  return new AppError("not_found", "There is no such port-out.");
}

export interface PortOutFilter {
  readonly status?: readonly PortOutStatus[] | undefined;
  readonly phone_number?: string | undefined;
  /** Of the desk's lists, which are of all accounts. */
  readonly account_id?: string | undefined;
  /** Exclusive; only port-outs that await a decision have a deadline. */
  readonly deadline_before?: Date | undefined;
}

const CONDITIONS = {
  status: (at: string) => `p.status = any (${at}::text[])`,
  phone_number: (at: string) =>
    `p.id in (select port_out_id from orders.port_out_numbers where phone_number = ${at})`,
  account_id: (at: string) => `p.account_id = ${at}`,
  deadline_before: (at: string) => `p.decision_deadline < ${at}`,
} as const satisfies FilterConditions<PortOutFilter>;

function matching(filter: PortOutFilter, bind: BoundValues["bind"]): string {
  return conditionsOf<PortOutFilter>(CONDITIONS, filter, bind)
    .map((one) => `and ${one}`)
    .join(" ");
}

type Found<Row> = Pick<PageRows<Row>, "rows" | "hasMore">;

/** What a port-out takes in an answer, of which a number takes some 16 bytes and the rest 600 at least. */
const BYTES = "(600 + 16 * jsonb_array_length(p.numbers))";

/** An account's port-outs in a range of ids that match every given filter, in scan order. */
export async function listPortOuts(
  db: Queryable,
  {
    accountId,
    range,
    filter,
  }: { readonly accountId: string; readonly range: IdRange; readonly filter: PortOutFilter },
): Promise<Found<PortOut>> {
  const { values, bind } = boundValues(accountId, range.above, range.below, range.fetch);
  const conditions = matching(filter, bind);
  const page = `select ${PORT_OUT_COLUMNS} from orders.port_outs p
      where p.account_id = $1 and p.id > $2 and p.id < $3 ${conditions}
      order by p.id ${range.direction} limit $4`;
  const rows = await queryRows<PortOutRow & CutRow>(db, {
    text: cutPageById(page, range.direction, BYTES),
    values,
  });
  return withPortOuts(rowsOfPage(rows, range.fetch));
}

function withPortOuts<R extends DeskRow>({ rows, hasMore }: Found<R>) {
  return { rows: rows.map((row) => toPortOut(row)), hasMore };
}

interface DeskPortOutList {
  readonly range: IdRange;
  readonly filter: PortOutFilter;
}

function pageOfAny({ range, filter }: DeskPortOutList): PageStatement {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  const conditions = matching(filter, bind);
  const rows = `select ${PORT_OUT_COLUMNS} from orders.port_outs p
      where p.id > $1 and p.id < $2 ${conditions}`;
  return { rows, order: `p.id ${range.direction}`, limit: "$3", values };
}

/** The desk's list of port-outs, for all accounts or one of them. */
export async function listAnyPortOuts(
  db: Queryable,
  list: DeskPortOutList,
): Promise<Found<DeskPortOut>> {
  const page = pageOfAny(list);
  const { direction, fetch } = list.range;
  const text = cutPageById(pageText(page), direction, BYTES);
  const { values } = page;
  return withPortOuts(rowsOfPage(await queryRows<DeskRow & CutRow>(db, { text, values }), fetch));
}

export async function countAnyPortOuts(db: Queryable, list: DeskPortOutList): Promise<Total> {
  return countRows(db, pageOfAny(list));
}

interface UrgentList {
  readonly scan: Pick<Keyset, "direction" | "cursorId" | "fetch">;
  readonly filter: PortOutFilter & CreatedWithin;
}

const BY_DEADLINE = { table: "orders.port_outs", key: (row: string) => `${row}.decision_deadline` };

function pageByDeadline({ scan, filter }: UrgentList): PageStatement {
  const { values, bind } = boundValues(scan.fetch);
  const range = idRange({ direction: "asc", cursorId: null, fetch: scan.fetch }, filter);
  const { beyond, order } = pageByKey({ ...BY_DEADLINE, alias: "p" }, scan, bind);
  const rows = `select ${PORT_OUT_COLUMNS} from orders.port_outs p
      where ${["p.account_id is not null", "p.decision_deadline is not null", ...beyond].join(" and ")}
        and p.id > ${bind(range.above)} and p.id < ${bind(range.below)} ${matching(filter, bind)}`;
  return { rows, order, limit: "$1", values };
}

/** Those of all accounts that await a decision, by its deadline, in scan order; the id is the cursor. */
export async function listPortOutsByDeadline(
  db: Queryable,
  list: UrgentList,
): Promise<Found<PortOut>> {
  const page = pageByDeadline(list);
  const { direction, fetch } = list.scan;
  const inOrder = `c.decision_deadline ${direction}, c.id ${direction}`;
  const text = `${cutPage(pageText(page), page.order, BYTES)} order by ${inOrder}`;
  const { values } = page;
  return withPortOuts(
    rowsOfPage(await queryRows<PortOutRow & CutRow>(db, { text, values }), fetch),
  );
}

export async function countPortOutsByDeadline(db: Queryable, list: UrgentList): Promise<Total> {
  return countRows(db, pageByDeadline(list));
}
