import type { MessageContext, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { outboxColumns, outboxInsert } from "../../../platform/outbox/outbox.ts";
import { letNumbersGo, lockOwnedNumbers, markNumbers } from "../../number/store/leaving-numbers.ts";
import { portedOutMessage } from "../../number/rules/ported-out-message.ts";
import type { PortOutStory } from "../rules/decide-port-out.ts";
import type { PortOut } from "../rules/port-out.ts";
import { portOutMessages } from "../rules/port-out-messages.ts";
import { isOpenPortOut } from "../rules/port-out-transitions.ts";

/** A transaction that may write messages. */
export interface PortOutWriter extends MessageContext {
  readonly tx: Queryable;
}

/** The row, its numbers, its deadline and the outbox. */
const SAVE = `with saved as (
    insert into orders.port_outs (id, account_id, provider, port_out_ref, status, gaining_carrier, requested_foc,
      foc_actual, decision_deadline, decision, provider_status, event_sequence, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    on conflict (id) do update set status = excluded.status, foc_actual = excluded.foc_actual,
      decision_deadline = excluded.decision_deadline, decision = excluded.decision,
      provider_status = excluded.provider_status, event_sequence = excluded.event_sequence,
      updated_at = excluded.updated_at
    returning id
  ), numbers as (
    insert into orders.port_out_numbers (port_out_id, position, account_id, phone_number, open, ported_out_at)
    select saved.id, u.nth, $2, u.phone_number, $15 and u.ported_out_at is null, u.ported_out_at
    from saved, unnest($16::text[], $17::timestamptz[]) with ordinality u (phone_number, ported_out_at, nth)
    on conflict (port_out_id, phone_number) do update
      set open = excluded.open, ported_out_at = excluded.ported_out_at
  ), cleared as (
    delete from orders.deadlines where $18 and $19::timestamptz is null and kind = 'port_out'
      and subject_id = $1::text
  ), due as (
    insert into orders.deadlines (kind, subject_id, due_at)
    select 'port_out', $1::text, $19 where $19::timestamptz is not null
    on conflict (kind, subject_id) do update set due_at = excluded.due_at
  )
  ${outboxInsert(20)}`;

/** Writes what a decision made of a new or locked port-out, with all its messages; returns it as it now is. */
export async function savePortOut(
  writer: PortOutWriter,
  story: PortOutStory,
  now: Date,
): Promise<PortOut> {
  const { messages, eventSequence } = portOutMessages(writer, story, now);
  const portOut = { ...story.portOut, event_sequence: eventSequence };
  const left = await moveNumbers(writer, story, now);
  const deadline = story.effects.findLast((effect) => effect.effect === "deadline");
  await queryRows(writer.tx, {
    name: "port-out-save",
    text: SAVE,
    values: [
      portOut.id,
      portOut.account_id,
      portOut.provider,
      portOut.port_out_ref,
      portOut.status,
      portOut.gaining_carrier,
      portOut.requested_foc,
      portOut.foc_actual,
      portOut.decision_deadline,
      portOut.decision === null ? null : JSON.stringify(portOut.decision),
      portOut.provider_status,
      portOut.event_sequence,
      portOut.created_at,
      portOut.updated_at,
      isOpenPortOut(portOut.status),
      portOut.numbers.map((number) => number.phone_number),
      portOut.numbers.map((number) => number.ported_out_at),
      deadline !== undefined,
      deadline?.due_at ?? null,
      ...outboxColumns([...messages, ...left]),
    ],
  });
  return portOut;
}

/** What becomes of the account's numbers; the messages of those that leave. */
async function moveNumbers(
  writer: PortOutWriter,
  { portOut, effects }: PortOutStory,
  now: Date,
): Promise<OutgoingMessage[]> {
  const accountId = portOut.account_id;
  const all = portOut.numbers.map((number) => number.phone_number);
  const messages: OutgoingMessage[] = [];
  for (const effect of effects) {
    if (effect.effect === "mark_numbers") {
      await lockOwnedNumbers(writer.tx, all);
      await markNumbers(writer.tx, { accountId, phoneNumbers: all }, effect.status);
    }
    if (effect.effect === "leave") {
      await lockOwnedNumbers(writer.tx, all);
      const phoneNumbers = effect.phone_numbers;
      const gone = await letNumbersGo(writer.tx, { accountId, phoneNumbers }, now);
      const { id: port_out_id, gaining_carrier } = portOut;
      const portedOut = { port_out_id, gaining_carrier, at: effect.at };
      messages.push(
        ...gone.map((number) => portedOutMessage(writer, { number, ...portedOut }, now)),
      );
    }
  }
  return messages;
}
