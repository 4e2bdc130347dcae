import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { counted } from "../../ui/list-rules.ts";
import { Card, Facts } from "../../ui/page.tsx";
import { DataView, Skeleton } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { withDraft } from "../../ui/use-draft.ts";
import { DeliveryStatus } from "../../ui/webhooks/delivery-list.tsx";
import { useMay } from "../session.ts";
import styles from "./order-history.module.css";
import {
  useComments,
  useDeliveries,
  useDelivery,
  writingKey,
  type Delivery,
  type Order,
  type TimelineEntry,
  type useTimeline,
} from "./orders.ts";
import {
  conversationOf,
  groupTimeline,
  wordsOf,
  type Text,
  type TimelineLine,
} from "./timeline.ts";

interface TimelineCardProps {
  readonly order: Order;
  readonly query: ReturnType<typeof useTimeline>;
}

/** Everything that happened to the order, the latest first. */
export function TimelineCard({ order, query }: TimelineCardProps) {
  const names = new Map(order.requirements.map(({ slug, name }) => [slug, name]));
  return (
    <Card title="Timeline">
      <DataView query={query}>
        {(entries) => (
          <ol className={styles["timeline"]}>
            {groupTimeline(entries, (slug) => names.get(slug) ?? slug).map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        )}
      </DataView>
      <EarlierButton query={query}>Show earlier entries</EarlierButton>
    </Card>
  );
}

const SIDES = {
  customer: "Customer",
  desk: "Desk",
  carrier: "Carrier",
  system: "Service",
} as const;

function Line({ line: { at, actor, title, quote } }: { readonly line: TimelineLine }) {
  return (
    <li className={styles[actor.type]}>
      <p className={styles["title"]}>{title}</p>
      {quote !== null && <p className="as-written">{quote}</p>}
      <p className="small">
        {SIDES[actor.type]}
        {actor.name !== null && ` (${actor.name})`} · <Time at={at} />
      </p>
    </li>
  );
}

interface ConversationCardProps {
  readonly orderId: string;
  /** Where notes stand, which are no comments. */
  readonly timeline: ReturnType<typeof useTimeline>;
  readonly onComment: () => void;
  readonly onNote: () => void;
}

/** Comments, which the customer reads, and notes, which only the desk reads and which look so. */
export function ConversationCard({ orderId, timeline, onComment, onNote }: ConversationCardProps) {
  const query = useComments(orderId);
  const mayWrite = useMay("reviewer");
  return (
    <Card title="Comments and notes">
      {mayWrite && (
        <div className={styles["write"]}>
          <Button hotkey="c" onClick={onComment}>
            {withDraft("Comment to the customer", writingKey("comment", orderId))}
          </Button>
          <Button hotkey="n" onClick={onNote} className={styles["note-button"] ?? ""}>
            {withDraft("Internal note", writingKey("note", orderId))}
          </Button>
        </div>
      )}
      <DataView query={query}>
        {(comments) => (
          <Texts
            texts={conversationOf(comments, timeline.data ?? [])}
            isAwaited={timeline.isPending}
          />
        )}
      </DataView>
      <EarlierButton query={query}>Show earlier ones</EarlierButton>
    </Card>
  );
}

interface TextsProps {
  readonly texts: readonly Text[];
  /** The notes have not come yet. */
  readonly isAwaited: boolean;
}

function Texts({ texts, isAwaited }: TextsProps) {
  if (texts.length === 0) {
    if (isAwaited) return <Skeleton lines={3} />;
    return <p className="muted">Nobody has written anything yet.</p>;
  }
  return (
    <ol className={styles["comments"]}>
      {texts.map(({ id, who, isInternal, isToCustomer, at, body }) => (
        <li key={id} className={isInternal ? styles["note"] : ""}>
          <p className="small">
            <strong>{who}</strong>
            {isInternal && " · internal note"}
            {isToCustomer && " · to the customer"} · <Time at={at} />
          </p>
          <p className={styles["body"]}>{body}</p>
        </li>
      ))}
    </ol>
  );
}

interface CarrierCardProps {
  readonly order: Order;
  readonly timeline: readonly TimelineEntry[];
}

/** What the carrier said in its own words, and what became of it here. */
export function CarrierCard({ order, timeline }: CarrierCardProps) {
  const { provider, provider_status: word, provider_status_at: at, request_version: sent } = order;
  const quotes = carrierQuotesOf(order, timeline);
  return (
    <Card title="The carrier’s words">
      <Facts
        facts={[
          ["Provider", provider],
          ["Requests sent", sent === 0 ? "None yet" : `Version ${sent}`],
          [
            "Its status",
            word === "" ? (
              "None yet"
            ) : (
              <>
                <q className="as-written">{word}</q> <Time at={at} form="past" />
              </>
            ),
          ],
        ]}
      />
      {quotes.length > 0 && (
        <ol className={styles["quotes"]}>
          {quotes.map(({ key, at: when, words, meaning }) => (
            <li key={key}>
              <q className="as-written">{words}</q>
              <p className="small">
                {meaning} · <Time at={when} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

interface CarrierQuote {
  readonly key: string;
  readonly at: string;
  /** The carrier's own words, unchanged. */
  readonly words: string;
  /** What became of them here. */
  readonly meaning: string;
}

/** What the carrier said of an order in its own words, the latest first. */
function carrierQuotesOf(
  order: Pick<Order, "exceptions" | "closed_reason" | "closed_at" | "requirements">,
  timeline: readonly TimelineEntry[],
): readonly CarrierQuote[] {
  const names = new Map(order.requirements.map(({ slug, name }) => [slug, name]));
  const said = timeline
    .filter(({ actor, kind }) => actor.type === "carrier" || kind === "carrier")
    .flatMap((entry) => {
      const { title, quote } = wordsOf(entry, (slug) => names.get(slug) ?? slug);
      return quote === null ? [] : [{ key: entry.id, at: entry.at, words: quote, meaning: title }];
    });
  const objected = order.exceptions
    .filter(({ raised_by: by }) => by === "carrier")
    .map(({ code, detail, raised_at: at }) => ({
      key: `exception ${at} ${code}`,
      at,
      words: detail,
      meaning: `Rejected: ${code ?? "other"}`,
    }));
  const { closed_reason: closed, closed_at: at } = order;
  const ended =
    closed?.raised_by === "carrier"
      ? [{ key: "end", at: at ?? "", words: closed.detail, meaning: `Ended: ${closed.code}` }]
      : [];
  const known = new Set(said.map(({ words }) => words));
  const others = [...objected, ...ended].filter(({ words }) => !known.has(words));
  return [...said, ...others].toSorted((a, b) => b.at.localeCompare(a.at));
}

/** Which webhooks went out for the order, and what each receiver answered. */
export function DeliveriesCard({ orderId }: { readonly orderId: string }) {
  const query = useDeliveries(orderId);
  return (
    <Card title="Deliveries">
      <DataView query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="muted">
              No webhook was made for this order: nobody subscribed to its events.
            </p>
          ) : (
            <ul className={styles["deliveries"]}>
              {deliveries.map((delivery) => (
                <OneDelivery key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          )
        }
      </DataView>
      <EarlierButton query={query}>Show earlier deliveries</EarlierButton>
    </Card>
  );
}

function OneDelivery({ delivery: listed }: { readonly delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  const { data: delivery = listed } = useDelivery(listed.id, isOpen);
  const { event_type: type, url, status, attempt_log: attempts, next_attempt_at: next } = delivery;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles["summary"]}>
          <span className={styles["type"]}>{type}</span>
          <DeliveryStatus status={status} />
          <span className={styles["url"]}>
            {url} · {counted(delivery.attempt_count, "attempt")} · <Time at={delivery.created_at} />
          </span>
        </summary>
        <ol className={styles["attempts"]}>
          {attempts.map((one) => (
            <li key={`${one.attempt} ${one.started_at}`}>
              <strong>{one.response_code ?? one.error?.code ?? "–"}</strong> in {one.duration_ms}{" "}
              ms, <Time at={one.started_at} />
              {one.error !== null && <p>{one.error.message}</p>}
              {one.response_body !== null && one.response_body !== "" && (
                <pre className={styles["answer"]}>{one.response_body}</pre>
              )}
            </li>
          ))}
          {attempts.length === 0 && <li>No attempt yet.</li>}
        </ol>
        {next !== null && (
          <p className="muted">
            The next attempt is <Time at={next} form="relative" />.
          </p>
        )}
      </details>
    </li>
  );
}

interface EarlierButtonProps {
  readonly query: Pick<ReturnType<typeof useTimeline>, "hasNextPage" | "isFetchingNextPage"> & {
    readonly fetchNextPage: () => unknown;
  };
  readonly children: string;
}

/** Fetches the next page of a list that begins with what is newest. */
function EarlierButton({ query, children }: EarlierButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      kind="quiet"
      isBusy={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </Button>
  );
}
