import { Link, useLocation } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { JsonView, Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { useKeyActions } from "../keys.ts";
import type { ScreenProps } from "../screens.tsx";
import { groupTrace, isUnfinished, type TraceGroup } from "./group-trace.ts";
import { numbersTitle, useOrder, useTrace, type TraceEntry } from "./orders.ts";
import styles from "./trace-page.module.css";

/** Where each change of an order went: request, outbox, topic, handler, event, delivery. */
export default function TracePage({ params: { id = "" } }: ScreenProps) {
  const { data: order } = useOrder(id);
  const trace = useTrace(id);
  const [, navigate] = useLocation();
  useKeyActions({ back: () => navigate(`/orders/${id}`) });
  const [first = ""] = order?.phone_numbers ?? [];
  const title = order === undefined ? "" : numbersTitle(first, order.phone_numbers.length);
  return (
    <Page title={`Trace ${title}`} actions={<Link href={`/orders/${id}`}>Back to the order</Link>}>
      <DataView query={trace}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="There are no messages">
              Messages are kept for a limited time; the order’s timeline is kept for ever.
            </Empty>
          ) : (
            groupTrace(entries).map((group) => <TraceLine key={group.id} group={group} />)
          )
        }
      </DataView>
      {trace.hasNextPage && (
        <Button isBusy={trace.isFetchingNextPage} onClick={() => void trace.fetchNextPage()}>
          Show earlier messages
        </Button>
      )}
    </Page>
  );
}

const STEP_NAMES: Readonly<Record<TraceEntry["step"], string>> = {
  request: "Request",
  change: "Timeline",
  outbox: "Outbox",
  topic: "Topic",
  handler: "Handler",
  dead_letter: "Dead letter",
  event: "Event",
  delivery: "Delivery",
  attempt: "Attempt",
};

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** One change as a vertical line, each step with the time since the one before it. */
export function TraceLine({ group }: { readonly group: TraceGroup }) {
  const { title, at, entries, isOpen } = group;
  const last = Date.parse(entries.at(-1)?.at ?? at);
  return (
    <section className={styles["group"]} aria-label={`${title}, ${at}`}>
      <header className={styles["header"]}>
        <h2>{title}</h2>
        {isOpen && <Badge tone="warning">Not finished</Badge>}
        <span className={styles["when"]}>
          {day.format(new Date(at))}, {clock.format(new Date(at))} · took{" "}
          {gapText(last - Date.parse(at))}
        </span>
      </header>
      <ol className={styles["line"]}>
        {entries.map((entry, index) => (
          <Step key={entry.id} entry={entry} before={entries[index - 1]} />
        ))}
      </ol>
    </section>
  );
}

function Step({ entry, before }: { entry: TraceEntry; before: TraceEntry | undefined }) {
  const { step, name, at, actor, state, value } = entry;
  const gap = before === undefined ? null : Date.parse(at) - Date.parse(before.at);
  const isBad = step === "dead_letter" || isUnfinished(entry);
  return (
    <li className={isBad ? styles["bad"] : ""}>
      <span className={styles["gap"]}>{gap === null ? "" : `+${gapText(gap)}`}</span>
      <div className={styles["step"]}>
        <p>
          <span className={styles["kind"]}>{STEP_NAMES[step]}</span> <strong>{name}</strong>
          {placeOf(entry) !== null && <code className={styles["place"]}>{placeOf(entry)}</code>}
          {state !== null && <span className={styles["state"]}> {state}</span>}
        </p>
        <p className={styles["when"]}>
          <time dateTime={at}>{clock.format(new Date(at))}</time>
          {actor !== null && ` · ${actor.name ?? actor.type}`}
          {entry.request_id !== null && ` · request ${entry.request_id}`}
        </p>
        {value !== null && Object.keys(value).length > 0 && (
          <details>
            <summary>Content</summary>
            <JsonView label={`Content of ${name}`} value={value} />
          </details>
        )}
      </div>
    </li>
  );
}

/** Where Kafka put the message, or who handled it. */
function placeOf({ name, topic, partition, offset, consumer }: TraceEntry): string | null {
  const parts = [
    ...[topic, consumer].filter((one) => one !== null && one !== name),
    ...(partition === null ? [] : [`partition ${partition}, offset ${offset}`]),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** `0 ms`, `1.2 s`, `3 min`, `2 h`. */
function gapText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
