import type { Queryable } from "../../../platform/db/transaction.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import type { PortOut } from "../../../domain/port-out/rules/port-out.ts";
import { lockPortOut } from "../../../domain/port-out/store/read-port-out.ts";

/**
 * Takes the earliest deadline that is due, in the transaction of what it brings about, with its port-out locked; null
 * where there is none. What another process or a person's decision holds is passed over.
 */
export async function takeDuePortOut(
  tx: Queryable,
  now: Date,
  except: readonly string[],
): Promise<PortOut | null> {
  const [due] = await queryRows<{ id: string }>(tx, {
    name: "port-out-due",
    text: `select p.id from orders.deadlines d join orders.port_outs p on p.id = d.subject_id::uuid
      where d.kind = 'port_out' and coalesce(d.due_at, d.since) <= $1 and p.id <> all ($2::uuid[])
      order by coalesce(d.due_at, d.since) limit 1 for update of p skip locked`,
    values: [now, except],
  });
  if (due === undefined) return null;
  // Under the lock, a look at what is there now: it may have been decided meanwhile.
  const taken = await queryRows(tx, {
    name: "port-out-deadline-take",
    text: `delete from orders.deadlines where kind = 'port_out' and subject_id = $1 and due_at <= $2
      returning 1`,
    values: [due.id, now],
  });
  return taken.length === 0 ? null : lockPortOut(tx, due.id);
}
