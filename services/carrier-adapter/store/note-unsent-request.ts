import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { newId } from "../../platform/ids.ts";
import { SYSTEM_ACTOR } from "../../domain/order/rules/order.ts";

const NOTE = `insert into orders.timeline (id, order_id, account_id, at, kind, actor, data, internal)
  select $1, o.id, o.account_id, $2, 'carrier', $3, $4, true from orders.porting_orders o where o.id = $5`;

export interface UnsentRequest {
  readonly orderId: string;
  readonly provider: string;
  readonly kind: string;
  readonly requestVersion: number | null;
  readonly now: Date;
}

/** Notes for the desk in an order's timeline that its provider does not take a request, which was therefore not sent. */
export async function noteUnsentRequest(tx: Queryable, request: UnsentRequest): Promise<void> {
  const { orderId, provider, kind, requestVersion, now } = request;
  const data = {
    not_sent: { kind, request_version: requestVersion, provider, code: "no_capability" },
  };
  await queryRows(tx, {
    name: "unsent-request-note",
    text: NOTE,
    values: [newId(now), now, JSON.stringify(SYSTEM_ACTOR), JSON.stringify(data), orderId],
  });
}
