import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Table, type Column } from "../../ui/list.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { numbersTitle, STATUS_WORDS } from "../orders/orders.ts";
import styles from "./carriers.module.css";
import {
  callsOf,
  hoursText,
  useCallsToMake,
  useCarriers,
  type Call,
  type Carrier,
  type Provider,
} from "./carriers.ts";

const FEW = 4;

const COLUMNS: readonly Column<Carrier>[] = [
  { title: "Carrier", cell: ({ name }) => <strong>{name}</strong> },
  { title: "Provider", cell: ({ provider }) => provider ?? "The default" },
  {
    title: "Numbers that begin with",
    isMinor: true,
    cell: ({ prefixes }) =>
      prefixes.length === 0 ? (
        <span className="muted">By name only</span>
      ) : (
        <span title={prefixes.join(", ")}>
          {prefixes.slice(0, FEW).join(", ")}
          {prefixes.length > FEW && ` and ${prefixes.length - FEW} more`}
        </span>
      ),
  },
  { title: "Last status update", cell: LastWord },
  {
    title: "Open orders",
    align: "right",
    cell: ({ name, open_orders: count }) => (
      <Link href={`/orders?status=open&carrier=${encodeURIComponent(name)}`}>{count}</Link>
    ),
  },
  { title: "Rejections, 90 days", isMinor: true, cell: Rejections },
];

/** The losing carriers of the directory. */
function CarrierTable({ carriers }: { readonly carriers: readonly Carrier[] }) {
  return <Table caption="Directory" columns={COLUMNS} rows={carriers} keyOf={({ name }) => name} />;
}

/** Whom to call today and why; who carries orders out, in which words; which carrier has which numbers. */
export default function CarriersPage() {
  const providers = useCallsToMake();
  const carriers = useCarriers();
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Page title="Carriers">
      <DataView query={providers}>
        {({ data }) => {
          const provider = data.find(({ name }) => name === shown);
          return (
            <>
              <Card title="To call today">
                <CallList calls={callsOf(data, carriers.data?.data ?? [])} />
              </Card>
              <h2 className={styles["heading"]}>Providers</h2>
              <ProviderTable providers={data} onShow={setShown} />
              {provider !== undefined && (
                <ProviderDrawer provider={provider} onClose={() => setShown(null)} />
              )}
            </>
          );
        }}
      </DataView>
      <h2 className={styles["heading"]}>Directory</h2>
      <DataView query={carriers}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="The directory names no carrier">
              Carriers stand in directory.json of the folder that CARRIERS_DIR names.
            </Empty>
          ) : (
            <CarrierTable carriers={data} />
          )
        }
      </DataView>
    </Page>
  );
}

/** Orders that a person has to call a carrier about, with whom to ask for. */
function CallList({ calls }: { readonly calls: readonly Call[] }) {
  if (calls.length === 0) {
    return (
      <p className="muted">
        No order waits for a call. One appears here while it waits for a carrier without an
        integration, except before its confirmed FOC date, and when its carrier is silent or late.
      </p>
    );
  }
  return (
    <ul className={styles["calls"]}>
      {calls.map(({ order, contact, isOpen }) => (
        <li key={order.id}>
          <div className={styles["what"]}>
            <p>
              <Link href={`/orders/${order.id}`}>
                {numbersTitle(order.first_number, order.numbers_count)}
              </Link>{" "}
              <span className="muted">
                {order.account.name} · {STATUS_WORDS[order.status].name}
                {order.customer_reference !== "" && ` · ${order.customer_reference}`}
              </span>
            </p>
            <p>{order.reason}</p>
            <p className="muted">
              Waiting since <Time at={order.waiting_since} />
              {order.foc_actual !== null && (
                <>
                  {" "}
                  · port date <Time at={order.foc_actual} form="zoned" />
                </>
              )}
            </p>
          </div>
          <div className={styles["whom"]}>
            <p>
              <strong>{order.losing_carrier ?? "Carrier not known"}</strong>{" "}
              {isOpen !== null && (
                <Badge tone={isOpen ? "good" : "neutral"}>{isOpen ? "Open now" : "Closed"}</Badge>
              )}
            </p>
            <ContactFacts contact={contact} />
            <Link href={`/orders/${order.id}?update`}>Record what it said</Link>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What a provider's file says: its words and codes and what they mean here, what it takes, when it is staffed. */
function ProviderDrawer({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { name, title, capabilities, statuses, codes, carriers, rejections } = provider;
  return (
    <Modal title={name} description={title} placement="drawer" onClose={onClose}>
      <Facts
        facts={[
          ["Hours", hoursText(provider.business_hours)],
          ["Requests that it takes", capabilities.join(", ")],
          ["Carriers", carriers.length === 0 ? "Those without a provider" : carriers.join(", ")],
          ["Contact", <ContactFacts contact={provider.contact} />],
        ]}
      />
      <Words title="Its words" none="Its table knows no word; each update names its kind.">
        {statuses.map(({ raw_status: word, kind }) => [word, kind])}
      </Words>
      <Words title="Its codes" none="It has no codes of its own; the catalogue’s are taken.">
        {codes.map(({ raw_code: raw, code }) => [raw, code])}
      </Words>
      <Words title="Rejections of the last 90 days" none="None.">
        {rejections.map(({ code, count }) => [code ?? "without a code", String(count)])}
      </Words>
    </Modal>
  );
}

interface WordsProps {
  readonly title: string;
  readonly none: string;
  readonly children: readonly (readonly [string, ReactNode])[];
}

function Words({ title, none, children }: WordsProps) {
  return (
    <section className={styles["words"]}>
      <h3>{title}</h3>
      {children.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <dl>
          {children.map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** How a carrier's people are reached. */
function ContactFacts({ contact }: Pick<Provider, "contact">) {
  if (contact === null) return <p className="muted">Its file names no contact.</p>;
  const { name, phone, email, url, notes } = contact;
  return (
    <p className={styles["contact"]}>
      {name !== null && <span>{name}</span>}
      {phone !== null && <a href={`tel:${phone}`}>{phone}</a>}
      {email !== null && <a href={`mailto:${email}`}>{email}</a>}
      {url !== null && isWebPage(url) && (
        <a href={url} target="_blank" rel="noreferrer">
          Its portal<span className="visually-hidden"> in a new tab</span>
        </a>
      )}
      {notes !== null && <span className="muted">{notes}</span>}
    </p>
  );
}

/** The file is written by hand: what is not a page is not made a link. */
function isWebPage(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

interface ProviderTableProps {
  readonly providers: readonly Provider[];
  readonly onShow: (name: string) => void;
}

export function ProviderTable({ providers, onShow }: ProviderTableProps) {
  const columns: readonly Column<Provider>[] = [
    {
      title: "Provider",
      cell: ({ name, title }) => (
        <>
          <button type="button" className={styles["open"]} onClick={() => onShow(name)}>
            {name}
          </button>
          <span className={styles["under"]}>{title}</span>
        </>
      ),
    },
    {
      title: "Hours",
      cell: ({ business_hours: hours, open_now: isOpen }) => (
        <>
          <Badge tone={isOpen ? "good" : "neutral"}>{isOpen ? "Open now" : "Closed"}</Badge>
          <span className={styles["under"]}>{hoursText(hours)}</span>
        </>
      ),
    },
    { title: "Last status update", cell: LastWord },
    {
      title: "Open orders",
      align: "right",
      cell: ({ name, open_orders: count }) => (
        <Link href={`/orders?status=open&provider=${encodeURIComponent(name)}`}>{count}</Link>
      ),
    },
    {
      title: "To call",
      align: "right",
      cell: ({ orders_to_call_count: count }) => count,
    },
    { title: "Rejections, 90 days", isMinor: true, cell: Rejections },
  ];
  return (
    <Table caption="Providers" columns={columns} rows={providers} keyOf={({ name }) => name} />
  );
}

type Figures = Pick<Carrier, "last_word" | "rejections">;

export function LastWord({ last_word: last }: Figures) {
  if (last === null) return <span className="muted">None yet</span>;
  const { at, porting_order_id: order } = last;
  const time = <Time at={at} form="past" />;
  return (
    <span className="nowrap">
      {order === null ? time : <Link href={`/orders/${order}`}>{time}</Link>}
    </span>
  );
}

const MOST = 3;

export function Rejections({ rejections }: Figures) {
  if (rejections.length === 0) return <span className="muted">None</span>;
  const rest = rejections.length - MOST;
  return (
    <span className={styles["codes"]}>
      {rejections.slice(0, MOST).map(({ code, count }) => (
        <span key={code}>
          {code ?? "without a code"} <strong>{count}</strong>
        </span>
      ))}
      {rest > 0 && <span className="muted">and {rest} more</span>}
    </span>
  );
}
