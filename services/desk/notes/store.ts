import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Person } from "../operators/store.ts";

/** An internal note: an entry of the order's timeline that the desk alone sees. */
export interface Note {
  readonly id: string;
  readonly body: string;
  readonly author: Person;
  readonly created_at: Date;
}

interface NewNote extends Note {
  readonly order_id: string;
}

/** Adds a note to an order in any status; returns the order's account. @throws `not_found` */
export async function insertNote(tx: Queryable, note: NewNote): Promise<string> {
  const [row] = await queryRows<{ account_id: string }>(tx, {
    name: "note-insert",
    text: `insert into orders.timeline (id, order_id, account_id, at, kind, actor, data, internal)
      select $2, o.id, o.account_id, $3, 'note', $4::jsonb, $5::jsonb, true
      from orders.porting_orders o where o.id = $1 and o.deleted_at is null
      returning account_id`,
    values: [
      note.order_id,
      note.id,
      note.created_at,
      JSON.stringify({ type: "desk", ...note.author }),
      JSON.stringify({ body: note.body }),
    ],
  });
  if (row === undefined) throw new AppError("not_found", "There is no such porting order.");
  return row.account_id;
}

const MOST = 250;

/** The order's latest notes, oldest first. */
export async function listNotes(db: Queryable, orderId: string): Promise<Note[]> {
  const rows = await queryRows<Note>(db, {
    name: "note-list",
    text: `select id, data->>'body' as body, at as created_at,
        json_build_object('id', actor->>'id', 'name', actor->>'name') as author
      from orders.timeline where order_id = $1 and kind = 'note' and internal
      order by id desc limit ${MOST}`,
    values: [orderId],
  });
  return rows.reverse();
}
