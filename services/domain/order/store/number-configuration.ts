import {
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { ShownConfiguration } from "../../number/rules/number-settings.ts";

const CONFIGURED = { order_id: "uuid", configuration: "jsonb" } as const satisfies Columns;

const PIN = {
  order_id: "uuid",
  phone_number: "text",
  port_out_pin: "bytea",
  port_out_pin_key_id: "text",
} as const satisfies Columns;

/** What waits for the numbers of orders to become active; a null configuration removes it. */
export interface ConfigurationRows {
  readonly orders: readonly RowOf<typeof CONFIGURED>[];
  readonly pins: readonly RowOf<typeof PIN>[];
}

const WRITE = `with configured as (
    select u.* from ${recordset("$1", CONFIGURED)}
  ), pins as (
    update orders.order_numbers n
      set port_out_pin = u.port_out_pin, port_out_pin_key_id = u.port_out_pin_key_id
    from orders.order_numbers k left join ${recordset("$2", PIN)}
      on u.order_id = k.order_id and u.phone_number = k.phone_number
    where k.order_id in (select order_id from configured)
      and n.order_id = k.order_id and n.phone_number = k.phone_number
  )
  update orders.porting_orders o set number_configuration = nullif(c.configuration, 'null')
  from configured c where o.id = c.order_id`;

/** Replaces the configurations of orders, which the caller has locked or created. */
export async function writeConfigurations(tx: Queryable, rows: ConfigurationRows): Promise<void> {
  await queryRows(tx, {
    name: "number-configurations-write",
    text: WRITE,
    values: [recordsetValue(CONFIGURED, rows.orders), recordsetValue(PIN, rows.pins)],
  });
}

const KEEP_OWN = `update orders.porting_orders o set number_configuration = jsonb_set(o.number_configuration, '{numbers}',
    (select coalesce(jsonb_object_agg(e.key, e.value), '{}')
      from jsonb_each(o.number_configuration -> 'numbers') e
      join orders.order_numbers n on n.order_id = o.id and n.phone_number = e.key))
  where o.id = any ($1::uuid[]) and o.number_configuration is not null`;

/** Drops what the configurations have for numbers that are no longer in their orders. */
export async function keepOwnConfigurations(
  tx: Queryable,
  orderIds: readonly string[],
): Promise<void> {
  await queryRows(tx, {
    name: "number-configurations-keep-own",
    text: KEEP_OWN,
    values: [orderIds],
  });
}

export async function readConfiguration(
  db: Queryable,
  orderId: string,
): Promise<ShownConfiguration | null> {
  const [row] = await queryRows<{ number_configuration: ShownConfiguration | null }>(db, {
    name: "number-configuration",
    text: "select number_configuration from orders.porting_orders where id = $1",
    values: [orderId],
  });
  return row?.number_configuration ?? null;
}
