import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { useList } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import { Table, type Column } from "../../ui/list.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { ORDERS, STATUS_WORDS, typeName, type OrderSummary } from "../orders/orders.ts";
import { PORT_OUTS, type PortOut } from "../port-outs/port-outs.ts";
import { PORT_OUT_WORDS } from "../../ui/port-outs/port-out-words.ts";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session.ts";
import { ProviderDialog } from "./numbers-page.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";
import { NUMBER_STATES, NUMBERS, type PlatformNumber } from "./numbers.ts";

/** A number: whose it is and who hosts it, the orders that moved it, and who asked for it. */
export default function NumberPage({ params: { number: digits = "" } }: ScreenProps) {
  const number = `+${digits}`;
  const ofNumber = (path: string): string => withQuery(path, { phone_number: number });
  const found = useList<PlatformNumber>("numbers", ofNumber(NUMBERS));
  const [one] = found.data?.data ?? [];
  const [isChanging, setIsChanging] = useState(false);
  const [isReleasing, setIsReleasing] = useState(false);
  const mayChange = useMay("lead") && one !== undefined;
  return (
    <Page
      title={number}
      actions={
        <>
          <CopyButton value={number} what="the number" />
          {mayChange && <Button onClick={() => setIsChanging(true)}>Change the provider</Button>}
          {mayChange && <Button onClick={() => setIsReleasing(true)}>Release</Button>}
        </>
      }
    >
      <DataView query={found}>
        {() => (
          <Card>
            {one === undefined ? (
              <p>It is not on the platform: it never came, was ported out, or was released.</p>
            ) : (
              <Facts facts={factsOf(one)} />
            )}
          </Card>
        )}
      </DataView>
      <Listed subject="orders" title="Orders" path={ofNumber(ORDERS)} columns={ORDER_COLUMNS} />
      <Listed
        subject="port-outs"
        title="Port-outs"
        path={ofNumber(PORT_OUTS)}
        columns={PORT_OUT_COLUMNS}
      />
      {isChanging && one !== undefined && (
        <ProviderDialog number={one} onClose={() => setIsChanging(false)} />
      )}
      {isReleasing && one !== undefined && (
        <ReleaseDialog number={one} onClose={() => setIsReleasing(false)} />
      )}
    </Page>
  );
}

function factsOf(one: PlatformNumber): (readonly [string, ReactNode])[] {
  const { status, account, forwarding, porting_order_id: order } = one;
  return [
    ["Status", <Badge tone={NUMBER_STATES[status].tone}>{NUMBER_STATES[status].name}</Badge>],
    ["Account", <Link href={`/accounts/${account.id}`}>{account.name}</Link>],
    ["Type", `${one.country_code} ${typeName(one.number_type)}`],
    ["Provider", one.provider],
    ["Live since", <Time at={one.activated_at} />],
    [
      "Calls go to",
      forwarding === null ? "–" : `${forwarding.primary}, by the ${forwarding.handled_by}`,
    ],
    ["Port-out lock", one.port_out_lock ? "Locked" : "Not locked"],
    ["Port-out PIN", one.port_out_pin_set ? "Set" : "Not set"],
    ["Tags", one.tags.length === 0 ? "–" : one.tags.join(", ")],
    ["Came by", order === null ? "an import" : <Link href={`/orders/${order}`}>its order</Link>],
  ];
}

interface ListedProps<Row> {
  readonly subject: string;
  readonly title: string;
  readonly path: string;
  readonly columns: readonly Column<Row>[];
}

function Listed<Row extends { readonly id: string }>(props: ListedProps<Row>) {
  const { subject, title, path, columns } = props;
  const list = useList<Row>(subject, path);
  return (
    <Card title={title}>
      <DataView query={list}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <p className="muted">None had this number.</p>
          ) : (
            <>
              <Table caption={title} columns={columns} rows={data} keyOf={({ id }) => id} />
              {hasMore && <p className="muted">Only the newest are shown.</p>}
            </>
          )
        }
      </DataView>
    </Card>
  );
}

const ORDER_COLUMNS: readonly Column<OrderSummary>[] = [
  {
    title: "Order",
    cell: ({ id, customer_reference: reference }) => (
      <Link href={`/orders/${id}`}>{reference === "" ? id : reference}</Link>
    ),
    copies: ["the order’s id", ({ id }) => id],
  },
  {
    title: "Status",
    cell: ({ status }) => (
      <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].name}</Badge>
    ),
  },
  {
    title: "Account",
    cell: ({ account: { id, name } }) => <Link href={`/accounts/${id}`}>{name}</Link>,
    isMinor: true,
  },
  { title: "Created", cell: ({ created_at: at }) => <Time at={at} />, align: "right" },
];

const PORT_OUT_COLUMNS: readonly Column<PortOut>[] = [
  {
    title: "To",
    cell: ({ id, gaining_carrier: carrier }) => <Link href={`/port-outs/${id}`}>{carrier}</Link>,
    copies: ["the port-out’s id", ({ id }) => id],
  },
  {
    title: "Status",
    cell: ({ status }) => (
      <Badge tone={PORT_OUT_WORDS[status].tone}>{PORT_OUT_WORDS[status].name}</Badge>
    ),
  },
  { title: "Wanted for", cell: ({ requested_foc: at }) => <Time at={at} form="zoned" /> },
  {
    title: "Arrived",
    cell: ({ created_at: at }) => <Time at={at} />,
    align: "right",
    isMinor: true,
  },
];
