import type { MessageWriter, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import { lockThenRead, queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import {
  insertInto,
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { AppError } from "../../../platform/errors.ts";
import { OUTBOX_ROW, outboxInsert, outboxRows } from "../../../platform/outbox/outbox.ts";
import {
  runCommand,
  type CommandContext,
  type WriteAlso,
} from "../../command/store/run-command.ts";
import {
  DEADLINE_ROW,
  deadlineWrites,
  type DeadlineRow,
} from "../../deadline/store/write-deadlines.ts";
import { portedOutMessage, type LeftNumber } from "../../number/rules/platform-number.ts";
import {
  lockOwnedNumbers,
  markNumbers,
  releaseNumbers,
} from "../../number/store/leaving-numbers.ts";
import {
  decidePortOut,
  type DecidedPortOut,
  type PortOutCommand,
} from "../rules/decide-port-out.ts";
import { portOutMessages } from "../rules/port-out-messages.ts";
import { isOpenPortOut, portOutTargetOf } from "../rules/port-out-transitions.ts";
import type { PortOut, PortOutNumber } from "../rules/port-out.ts";
import { rejectionFault } from "../rules/rejection-codes.ts";
import {
  lockPortOutOf,
  PORT_OUT_COLUMNS,
  readRejectionCodes,
  toPortOut,
  type PortOutRow,
} from "./read-port-out.ts";

/** A command and its time. */
interface GivenPortOutCommand {
  readonly command: PortOutCommand;
  readonly now: Date;
  /** When the gaining carrier says that it happened, if it was reported by it. */
  readonly occurred_at?: Date;
}

/**
 * Runs a command on a locked port-out within the caller's transaction.
 * @throws `invalid_state` if its status does not allow the command, whose changes must then not be committed
 */
export async function applyToPortOut(
  writer: MessageWriter,
  portOut: PortOut,
  { command, now, occurred_at }: GivenPortOutCommand,
): Promise<PortOut> {
  const decided = decidePortOut(portOut, command, now);
  if (decided === null) {
    throw new AppError(
      "invalid_state",
      `A port-out in ${portOut.status} cannot be approved or rejected; only one in decision_required can.`,
    );
  }
  return savePortOut(writer, { ...decided, occurred_at }, now);
}

interface PortOutAddress {
  readonly id: string;
  /** Null for an operator, who acts for any account. */
  readonly accountId: string | null;
}

interface PersonsPortOutCommand extends GivenPortOutCommand {
  readonly also?: WriteAlso<PortOut>;
}

/**
 * Runs a customer's or operator's command on a port-out.
 * @throws `not_found`, also for another account's; `validation_failed` (`code_not_eligible`)
 */
export async function commandPortOut(
  context: CommandContext,
  { id, accountId }: PortOutAddress,
  { also, ...given }: PersonsPortOutCommand,
): Promise<PortOut> {
  return runCommand(context, {
    lock: (tx) => lockPortOutOf(tx, accountId, id),
    apply: async (writer, portOut) => {
      const { command, now } = given;
      if (command.command === "reject" && portOutTargetOf(portOut, "reject") !== null) {
        const fault = rejectionFault(
          await readRejectionCodes(writer.tx, portOut, now),
          command.code,
        );
        if (fault !== null) {
          throw new AppError("validation_failed", fault.detail, { faults: [fault] });
        }
      }
      return applyToPortOut(writer, portOut, given);
    },
    also,
  });
}

const OF_NUMBERS = `select n.port_out_id
  from unnest($1::uuid[], $2::text[]) u (account_id, phone_number)
  join orders.port_out_numbers n
    on n.account_id = u.account_id and n.phone_number = u.phone_number and n.open`;

const LOCK = {
  name: "port-outs-of-lost",
  lock: `select id from orders.port_outs where id in (${OF_NUMBERS}) order by id for update`,
  read: `select ${PORT_OUT_COLUMNS} from orders.port_outs p where p.id in (${OF_NUMBERS}) order by p.id`,
};

type LostNumber = Pick<LeftNumber, "account_id" | "phone_number">;

/** Locks the open port-outs of the numbers at these accounts: always before the numbers. */
export async function lockOpenPortOutsOf(
  tx: Queryable,
  numbers: readonly LostNumber[],
): Promise<PortOut[]> {
  if (numbers.length === 0) return [];
  const rows = await lockThenRead<PortOutRow>(tx, LOCK, [
    numbers.map((number) => number.account_id),
    numbers.map((number) => number.phone_number),
  ]);
  return rows.map((row) => toPortOut(row));
}

/**
 * Rejects port-outs of accounts that have lost one of the numbers, in that transaction: the undecided ones, as
 * `number_not_on_account`, where another account has it; all open ones, as `number_not_active`, where it was released.
 */
export async function rejectPortOutsOf(
  writer: MessageWriter,
  lost: readonly LostNumber[],
  {
    now,
    command = "number_lost",
  }: { readonly now: Date; readonly command?: "number_lost" | "number_released" },
): Promise<void> {
  for (const portOut of await lockOpenPortOutsOf(writer.tx, lost)) {
    await applyToPortOut(writer, portOut, { command: { command }, now });
  }
}

/** A port-out as a statement parameter. */
export const PORT_OUT_ROW = {
  id: "uuid",
  account_id: "uuid",
  provider: "text",
  port_out_ref: "text",
  status: "text",
  gaining_carrier: "text",
  requested_foc: "text",
  foc_actual: "text",
  decision_deadline: "timestamptz",
  decision: "jsonb",
  provider_status: "text",
  event_sequence: "integer",
  created_at: "timestamptz",
  updated_at: "timestamptz",
} as const satisfies Columns;

/** A number of a port-out as a statement parameter. */
export const PORT_OUT_NUMBER_ROW = {
  position: "smallint",
  phone_number: "text",
  porting_order_id: "uuid",
  open: "boolean",
  ported_out_at: "timestamptz",
} as const satisfies Columns;

/** An insert of `rows`, a recordset with the columns of `PORT_OUT_ROW`, without its `on conflict` clause. */
export function portOutInsert(rows: string): string {
  return insertInto("orders.port_outs", PORT_OUT_ROW, rows);
}

/** An insert of the numbers of the port-out in `saved` (id, account_id), without its `on conflict` clause. */
export function portOutNumberInsert(saved: string, rows: string): string {
  return `insert into orders.port_out_numbers (port_out_id, position, account_id, phone_number, porting_order_id, open,
      ported_out_at)
    select s.id, u.position, s.account_id, u.phone_number, u.porting_order_id, u.open, u.ported_out_at
    from ${saved} s cross join ${rows}`;
}

/** The rows of a port-out's numbers; numbers that have left are never open. */
export function portOutNumberRows(
  numbers: readonly PortOutNumber[],
  isOpen: boolean,
): RowOf<typeof PORT_OUT_NUMBER_ROW>[] {
  return numbers.map((number, n) => ({
    ...number,
    position: n + 1,
    open: isOpen && number.ported_out_at === null,
  }));
}

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
      const gone = await releaseNumbers(writer.tx, { accountId, phoneNumbers }, { now });
      const { id: port_out_id, gaining_carrier } = portOut;
      const portedOut = { port_out_id, gaining_carrier, at: effect.at, occurred_at: effect.at };
      messages.push(
        ...gone.map((number) => portedOutMessage(writer, { number, ...portedOut }, now)),
      );
    }
  }
  return messages;
}
