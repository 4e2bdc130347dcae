import { insertInto, type Columns, type RowOf } from "../../../platform/db/recordset.ts";
import type { PortOutNumber } from "../rules/port-out.ts";

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
