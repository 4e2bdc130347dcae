import { insertInto, type Columns, type RowOf } from "../../../platform/db/recordset.ts";
import type { PortOutNumber } from "../rules/port-out.ts";

/** A port-out as statements take it. */
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

/** One of its numbers. */
export const PORT_OUT_NUMBER_ROW = {
  position: "smallint",
  phone_number: "text",
  open: "boolean",
  ported_out_at: "timestamptz",
} as const satisfies Columns;

/** The insert of `rows`, a recordset with the columns of `PORT_OUT_ROW`, up to what is done on a conflict. */
export function portOutInsert(rows: string): string {
  return insertInto("orders.port_outs", PORT_OUT_ROW, rows);
}

/** The same of the numbers of the port-out in `saved` (id, account_id). */
export function portOutNumberInsert(saved: string, rows: string): string {
  return `insert into orders.port_out_numbers (port_out_id, position, account_id, phone_number, open, ported_out_at)
    select s.id, u.position, s.account_id, u.phone_number, u.open, u.ported_out_at
    from ${saved} s cross join ${rows}`;
}

/** The rows of a port-out's numbers; those that have left are not open, whether it is or not. */
export function portOutNumberRows(
  numbers: readonly PortOutNumber[],
  isOpen: boolean,
): RowOf<typeof PORT_OUT_NUMBER_ROW>[] {
  return numbers.map(({ phone_number, ported_out_at }, n) => ({
    position: n + 1,
    phone_number,
    open: isOpen && ported_out_at === null,
    ported_out_at,
  }));
}
