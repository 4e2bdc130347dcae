import type { MessageWriter } from "../../../messages/bus/outgoing.ts";
import { lockThenRead, queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { recordset, recordsetValue } from "../../../platform/db/recordset.ts";
import { newId, newIds } from "../../../platform/ids.ts";
import { writeOutbox } from "../../../platform/outbox/outbox.ts";
import {
  countWrongPin,
  lockOwnedNumbers,
  type PinLock,
  type RequestedNumberRow,
} from "../../number/store/leaving-numbers.ts";
import { beginPortOut, decidePortOut } from "../rules/decide-port-out.ts";
import { isLockedNumber, type NumberProtection } from "../rules/rejection-codes.ts";
import type { PortOutRef } from "../rules/requester.ts";
import { answerTask } from "../rules/port-out-messages.ts";
import type { PortOut, PortOutRejectCode } from "../rules/port-out.ts";
import {
  applyToPortOut,
  PORT_OUT_NUMBER_ROW,
  PORT_OUT_ROW,
  portOutInsert,
  portOutNumberInsert,
  portOutNumberRows,
  savePortOut,
} from "./port-out-commands.ts";
import { PORT_OUT_COLUMNS, toPortOut, type PortOutRow } from "./read-port-out.ts";

/** Another carrier's request for numbers, which may belong to several accounts or to none. */
interface PortOutRequest extends PortOutRef {
  readonly phone_numbers: readonly string[];
  readonly gaining_carrier: string;
  readonly requested_foc: string;
  readonly foc_at: string | null;
  readonly provider_status: string;
  readonly occurred_at: Date;
  /** Null if no PIN was given. */
  readonly pin_matches: boolean | null;
}

const LOCK_REF = {
  name: "port-outs-of-ref",
  lock: `select id from orders.port_outs where provider = $1 and port_out_ref = $2 order by id for update`,
  read: `select ${PORT_OUT_COLUMNS} from orders.port_outs p
    where p.provider = $1 and p.port_out_ref = $2 and p.account_id is not null order by p.id`,
};

/** Locks all port-outs of the reference, one per account, in id order. */
export async function lockPortOutsOf(
  tx: Queryable,
  { provider, port_out_ref }: PortOutRef,
): Promise<PortOut[]> {
  const rows = await lockThenRead<PortOutRow>(tx, LOCK_REF, [provider, port_out_ref]);
  return rows.map((row) => toPortOut(row));
}

export interface ReceivedPortOut {
  readonly now: Date;
  /** The time by which the customer has to decide. */
  readonly deadline: Date;
  /** Further writes in the same transaction where wrong PINs lock an account's numbers. */
  readonly onPinLock: (
    tx: Queryable,
    accountId: string,
    locks: readonly PinLock[],
  ) => Promise<void>;
}

/** Creates and checks a port-out per account; numbers that belong to no account are rejected at once. */
export async function receivePortOut(
  writer: MessageWriter,
  request: PortOutRequest,
  received: ReceivedPortOut,
): Promise<void> {
  const { now } = received;
  const known = await lockPortOutsOf(writer.tx, request);
  const owned = await lockOwnedNumbers(writer.tx, request.phone_numbers);
  const { provider_status, foc_at } = request;
  const { again, opened, unknown } = divideRequest(request.phone_numbers, known, owned);
  for (const portOut of again) {
    const command = { command: "requested_again", provider_status, foc_at } as const;
    await applyToPortOut(writer, portOut, { command, now });
  }
  for (const numbers of opened) await openPortOut(writer, { request, numbers }, received);
  if (unknown.length > 0) await answerUnknown(writer, { ...request, phone_numbers: unknown }, now);
}

interface DividedRequest {
  /** Port-outs of the reference that have one of the numbers. */
  readonly again: readonly PortOut[];
  /** The numbers of each account that has no port-out of the reference yet. */
  readonly opened: readonly (readonly RequestedNumberRow[])[];
  /** Numbers of no account, which no port-out of the reference has either: one may have left by it. */
  readonly unknown: readonly string[];
}

/** What a request means to the port-outs `known` under its reference, and to the accounts that own its numbers. */
export function divideRequest(
  asked: readonly string[],
  known: readonly PortOut[],
  owned: readonly RequestedNumberRow[],
): DividedRequest {
  const named = new Set(asked);
  const recorded = new Set(known.flatMap(({ numbers }) => numbers.map((one) => one.phone_number)));
  const owners = new Set(owned.map((number) => number.phone_number));
  const accounts = new Set(known.map((portOut) => portOut.account_id));
  const opened = new Map<string, RequestedNumberRow[]>();
  for (const number of owned.filter((one) => !accounts.has(one.account_id))) {
    opened.set(number.account_id, [...(opened.get(number.account_id) ?? []), number]);
  }
  return {
    again: known.filter(({ numbers }) => numbers.some((one) => named.has(one.phone_number))),
    opened: [...opened.values()],
    unknown: asked.filter((one) => !owners.has(one) && !recorded.has(one)),
  };
}

/** A request, with the numbers of it that belong to one account. */
interface AccountsPart {
  readonly request: PortOutRequest;
  readonly numbers: readonly RequestedNumberRow[];
}

async function openPortOut(
  writer: MessageWriter,
  { request, numbers }: AccountsPart,
  received: ReceivedPortOut,
): Promise<void> {
  const { now, deadline } = received;
  const begun = beginPortOut({
    id: newId(now),
    account_id: numbers[0]?.account_id ?? "",
    provider: request.provider,
    port_out_ref: request.port_out_ref,
    status: "requested",
    numbers: numbers.map(({ phone_number, porting_order_id }) => ({
      ...{ phone_number, porting_order_id },
      ported_out_at: null,
    })),
    gaining_carrier: request.gaining_carrier,
    requested_foc: request.requested_foc,
    foc_actual: request.foc_at,
    decision_deadline: null,
    decision: null,
    provider_status: request.provider_status,
    event_sequence: 0,
    unanswered_comment_at: null,
    created_at: now,
    updated_at: now,
  });
  const fault = await findFault(writer.tx, { request, numbers }, received);
  const checked = decidePortOut(begun.portOut, { command: "check", fault, deadline }, now) ?? begun;
  const effects = checked === begun ? begun.effects : [...begun.effects, ...checked.effects];
  const { occurred_at } = request;
  await savePortOut(writer, { portOut: checked.portOut, effects, occurred_at }, now);
}

/** The wrong PIN that is one too many is answered as a locked number, as is every PIN after it. */
async function findFault(
  tx: Queryable,
  { request, numbers }: AccountsPart,
  { now, onPinLock }: ReceivedPortOut,
): Promise<PortOutRejectCode | null> {
  const fault = findRequestFault(numbers, request.pin_matches, now);
  if (fault !== "pin_invalid") return fault;
  const accountId = numbers[0]?.account_id ?? "";
  const phoneNumbers = numbers.map((number) => number.phone_number);
  const locks = await countWrongPin(tx, { accountId, phoneNumbers }, now);
  if (locks.length === 0) return fault;
  await onPinLock(tx, accountId, locks);
  return "port_locked";
}

const ANSWER_UNKNOWN = `with answered as (
    ${portOutInsert(recordset("$1", PORT_OUT_ROW))}
    on conflict (provider, port_out_ref, account_id) do update set updated_at = excluded.updated_at
    returning id, account_id
  ), numbers as (
    ${portOutNumberInsert("answered", recordset("$2", PORT_OUT_NUMBER_ROW))}
    on conflict (port_out_id, phone_number) do nothing
  )
  select id from answered`;

/** One row per reference without an account: it holds the answer, and the desk sees it. */
async function answerUnknown(
  writer: MessageWriter,
  request: PortOutRequest,
  now: Date,
): Promise<void> {
  const [newRowId = "", messageId = ""] = newIds(now, 2);
  const numbers = request.phone_numbers.map((phone_number) => ({
    phone_number,
    porting_order_id: null,
    ported_out_at: null,
  }));
  const answer = {
    ...request,
    id: newRowId,
    account_id: null,
    status: "rejected",
    foc_actual: request.foc_at,
    decision_deadline: null,
    decision: { by: "system", at: now, code: "number_not_on_account", reason: null },
    event_sequence: 0,
    created_at: now,
    updated_at: now,
  };
  const [row] = await queryRows<{ id: string }>(writer.tx, {
    name: "port-out-unknown",
    text: ANSWER_UNKNOWN,
    values: [
      recordsetValue(PORT_OUT_ROW, [answer]),
      recordsetValue(PORT_OUT_NUMBER_ROW, portOutNumberRows(numbers, false)),
    ],
  });
  const answered = {
    id: row?.id ?? "",
    provider: request.provider,
    phone_number: request.phone_numbers[0] ?? "",
  };
  await writeOutbox(writer.tx, [answerTask(writer, answered, messageId)]);
}

/** The answer to the gaining carrier: the numbers and the decision. */
interface PortOutAnswer {
  readonly provider: string;
  readonly port_out_ref: string;
  readonly phone_numbers: readonly string[];
  readonly requested_foc: string;
  readonly foc_actual: string | null;
  readonly approved: boolean;
  readonly code: string | null;
  readonly reason: string | null;
}

/** The current answer of a port-out; null if there is none or the carrier cancelled its request. */
export async function readPortOutAnswer(db: Queryable, id: string): Promise<PortOutAnswer | null> {
  const [row] = await queryRows<PortOutAnswer>(db, {
    name: "port-out-answer",
    text: `select p.provider, p.port_out_ref, p.requested_foc, p.foc_actual,
        array(select n.phone_number from orders.port_out_numbers n where n.port_out_id = p.id
          order by n.position) as phone_numbers,
        p.decision ->> 'code' is null as approved, p.decision ->> 'code' as code,
        p.decision ->> 'reason' as reason
      from orders.port_outs p
      where p.id = $1 and p.status not in ('requested', 'decision_required', 'cancelled')`,
    values: [id],
  });
  return row ?? null;
}

/** The facts about a requested number, read under its lock. */
export interface RequestedNumber extends NumberProtection {
  /** Whether the number is in another open port-out of its account. */
  readonly in_other_port_out: boolean;
}

/**
 * The first reason to reject a port-out request: a port-out lock, then the PIN, then another request; null if there is
 * none. `pinMatches` is null if no PIN was given.
 */
export function findRequestFault(
  numbers: readonly RequestedNumber[],
  pinMatches: boolean | null,
  now: Date,
): PortOutRejectCode | null {
  if (numbers.some((number) => isLockedNumber(number, now))) return "port_locked";
  if (numbers.some((number) => number.port_out_pin_set)) {
    if (pinMatches === null) return "pin_missing";
    if (!pinMatches) return "pin_invalid";
  }
  return numbers.some((number) => number.in_other_port_out) ? "invalid_request" : null;
}
