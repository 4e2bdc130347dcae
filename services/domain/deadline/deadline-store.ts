import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";

/** What the clock can bring about; one handler each. */
export type DeadlineKind = "foc_reached";

export interface Deadline {
  readonly kind: DeadlineKind;
  readonly subject_id: string;
  readonly due_at: Date;
}

const TAKE = `delete from orders.deadlines d using (
    select kind, subject_id from orders.deadlines where due_at <= $1
    order by due_at limit 1 for update skip locked
  ) due where d.kind = due.kind and d.subject_id = due.subject_id
  returning d.kind, d.subject_id, d.due_at`;

/** Takes one deadline that is due, in the transaction of what it brings about; null where there is none. */
export async function takeDueDeadline(tx: Queryable, now: Date): Promise<Deadline | null> {
  const [row] = await queryRows<Deadline>(tx, {
    name: "deadline-take",
    text: TAKE,
    values: [now],
  });
  return row ?? null;
}
