import type { MessageWriter, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import { recordset, recordsetValue } from "../../../platform/db/recordset.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { OUTBOX_ROW, outboxInsert, outboxRows } from "../../../platform/outbox/outbox.ts";
import {
  DEADLINE_ROW,
  deadlineWrites,
  type DeadlineRow,
} from "../../deadline/store/write-deadlines.ts";
import {
  releaseNumbers,
  lockOwnedNumbers,
  markNumbers,
} from "../../number/store/leaving-numbers.ts";
import { portedOutMessage } from "../../number/rules/ported-out-message.ts";
import {
  PORT_OUT_NUMBER_ROW,
  PORT_OUT_ROW,
  portOutInsert,
  portOutNumberInsert,
  portOutNumberRows,
} from "./port-out-inserts.ts";
import type { DecidedPortOut } from "../rules/decide-port-out.ts";
import type { PortOut } from "../rules/port-out.ts";
import { portOutMessages } from "../rules/port-out-messages.ts";
import { isOpenPortOut } from "../rules/port-out-transitions.ts";

/** Writes the row, its numbers, its deadline and the outbox. */
const SAVE = `with saved as (
    ${portOutInsert(recordset("$1", PORT_OUT_ROW))}
    on conflict (id) do update set status = excluded.status, foc_actual = excluded.foc_actual,
      decision_deadline = excluded.decision_deadline, decision = excluded.decision,
      provider_status = excluded.provider_status, event_sequence = excluded.event_sequence,
      updated_at = excluded.updated_at
    returning id, account_id
  ), numbers as (
    ${portOutNumberInsert("saved", recordset("$2", PORT_OUT_NUMBER_ROW))}
    on conflict (port_out_id, phone_number) do update
      set open = excluded.open, ported_out_at = excluded.ported_out_at
  ), ${deadlineWrites(recordset("$3", DEADLINE_ROW), "(select id from saved)")}
  ${outboxInsert(recordset("$4", OUTBOX_ROW))}`;

/** Writes a decision's changes to a new or locked port-out with all its messages; returns the changed port-out. */
export async function savePortOut(
  writer: MessageWriter,
  decided: DecidedPortOut,
  now: Date,
): Promise<PortOut> {
  const { messages, eventSequence } = portOutMessages(writer, decided, now);
  const portOut = { ...decided.portOut, event_sequence: eventSequence };
  const left = await moveNumbers(writer, decided, now);
  const deadline = decided.effects.findLast((effect) => effect.effect === "deadline");
  await queryRows(writer.tx, {
    name: "port-out-save",
    text: SAVE,
    values: [
      recordsetValue(PORT_OUT_ROW, [portOut]),
      recordsetValue(
        PORT_OUT_NUMBER_ROW,
        portOutNumberRows(portOut.numbers, isOpenPortOut(portOut.status)),
      ),
      recordsetValue(DEADLINE_ROW, deadline === undefined ? [] : [deadlineRow(deadline)]),
      recordsetValue(OUTBOX_ROW, outboxRows([...messages, ...left])),
    ],
  });
  return portOut;
}

function deadlineRow({ due_at }: { readonly due_at: Date | null }): DeadlineRow {
  return { kind: "port_out", due_at, since: null };
}

/** Updates the account's numbers and returns the messages for those that leave. */
async function moveNumbers(
  writer: MessageWriter,
  { portOut, effects }: DecidedPortOut,
  now: Date,
): Promise<OutgoingMessage[]> {
  const accountId = portOut.account_id;
  const all = portOut.numbers.map((number) => number.phone_number);
  const messages: OutgoingMessage[] = [];
  for (const effect of effects) {
    if (effect.effect === "mark_numbers") {
      const { phone_numbers: phoneNumbers, status } = effect;
      await lockOwnedNumbers(writer.tx, all);
      await markNumbers(writer.tx, { accountId, phoneNumbers }, status);
    }
    if (effect.effect === "leave") {
      await lockOwnedNumbers(writer.tx, all);
      const phoneNumbers = effect.phone_numbers;
      const gone = await releaseNumbers(writer.tx, { accountId, phoneNumbers }, now);
      const { id: port_out_id, gaining_carrier } = portOut;
      const portedOut = { port_out_id, gaining_carrier, at: effect.at, occurred_at: effect.at };
      messages.push(
        ...gone.map((number) => portedOutMessage(writer, { number, ...portedOut }, now)),
      );
    }
  }
  return messages;
}
