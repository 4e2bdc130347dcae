import type { MessageWriter } from "../../../messages/bus/outgoing.ts";
import { lockThenRead } from "../../../platform/db/lock-then-read.ts";
import type { LeftNumber } from "../../number/rules/ported-out-message.ts";
import { applyToPortOut } from "./port-out-commands.ts";
import { PORT_OUT_COLUMNS, toPortOut, type PortOutRow } from "./port-out-row.ts";

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

/**
 * Rejects, as `number_not_on_account`, the undecided port-outs of accounts that have lost one of the numbers to another
 * account, in that transaction: nobody can decide about a number that is not theirs any more.
 */
export async function rejectPortOutsOf(
  writer: MessageWriter,
  lost: readonly LostNumber[],
  now: Date,
): Promise<void> {
  if (lost.length === 0) return;
  const rows = await lockThenRead<PortOutRow>(writer.tx, LOCK, [
    lost.map((number) => number.account_id),
    lost.map((number) => number.phone_number),
  ]);
  for (const row of rows) {
    const command = { command: "number_lost" } as const;
    await applyToPortOut(writer, toPortOut(row), { command, now });
  }
}
