import { Link } from "wouter";
import { Card, Facts } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { typeName } from "../order-words.ts";
import type { Order } from "../queries.ts";

export function FactsCard({ order }: { readonly order: Order }) {
  const { account, closed_by: closedBy, foc_requested, foc_actual, webhook_url } = order;
  return (
    <Card title="Order">
      <Facts
        facts={[
          ["Account", <Link href={`/accounts/${account.id}`}>{account.name}</Link>],
          ["Reference", order.customer_reference === "" ? "–" : order.customer_reference],
          ["Kind", `${order.country_code} ${typeName(order.number_type)}`],
          ["From carrier", order.losing_carrier ?? "Not known"],
          ["Requested date", <Time at={foc_requested} form="zoned" />],
          ["FOC date", <Time at={foc_actual} form="zoned" />],
          ["Created", <Time at={order.created_at} />],
          ["Submitted", <Time at={order.submitted_at} />],
          ...(closedBy === null ? [] : [["Closed by", CLOSERS[closedBy]] as const]),
          ...(webhook_url === null ? [] : [["Webhooks go to", webhook_url] as const]),
          ["Order id", <code>{order.id}</code>],
          [
            "Same request",
            <Link href={`/orders?batch=${order.batch_id}`}>Orders of its batch</Link>,
          ],
        ]}
      />
    </Card>
  );
}

const CLOSERS = { customer: "Customer", provider: "Carrier", ops: "Desk" } as const;
