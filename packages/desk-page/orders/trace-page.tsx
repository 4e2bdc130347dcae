import { Link, useLocation } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { counted } from "../../ui/list-rules.ts";
import { Card, JsonView, Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useKeyActions } from "../keys.ts";
import type { ScreenProps } from "../screens.tsx";
import { groupTrace, waterfallOf, type TraceGroup, type TraceSpan } from "./group-trace.ts";
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
            <Changes groups={groupTrace(entries)} />
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

function Changes({ groups }: { readonly groups: readonly TraceGroup[] }) {
  return (
    <>
      <OpenSteps groups={groups} />
      {groups.map((group) => (
        <TraceChange key={group.id} group={group} />
      ))}
    </>
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

/** What failed or waits, before everything that went well. */
function OpenSteps({ groups }: { readonly groups: readonly TraceGroup[] }) {
  const open = groups.flatMap((group) => group.open);
  if (open.length === 0) return null;
  return (
    <Card title={`${counted(open.length, "step")} failed or not finished`}>
      <ul className={styles["open"]}>
        {open.map((entry) => (
          <li key={entry.id}>
            <a href={`#${entry.id}`}>
              {STEP_NAMES[entry.step]} {entry.name}
            </a>{" "}
            {entry.state}, <Time at={entry.at} form="past" />
            {reasonOf(entry, groups) !== null && `: ${reasonOf(entry, groups)}`}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Why the last attempt of a delivery failed. */
function reasonOf({ delivery_id: id }: TraceEntry, groups: readonly TraceGroup[]): string | null {
  const attempts = groups
    .flatMap(({ entries }) => entries)
    .filter((one) => one.step === "attempt" && one.delivery_id === id);
  const error = id === null ? null : attempts.at(-1)?.value?.["error"];
  return typeof error === "object" && error !== null && "detail" in error
    ? String(error.detail)
    : null;
}

/** One change, each step with when it began and how long it took. */
function TraceChange({ group }: { readonly group: TraceGroup }) {
  const { title, at, entries, open } = group;
  const last = Date.parse(entries.at(-1)?.at ?? at);
  return (
    <section className={styles["group"]} aria-label={`${title}, ${at}`}>
      <header className={styles["header"]}>
        <h2>{title}</h2>
        {open.length > 0 && <Badge tone="warning">Not finished</Badge>}
        <span className={styles["when"]}>
          {day.format(new Date(at))}, {clock.format(new Date(at))} · took{" "}
          {gapText(last - Date.parse(at))}
        </span>
      </header>
      <ol className={styles["steps"]}>
        {waterfallOf(group).map((span) => (
          <Step key={span.entry.id} span={span} isOpen={open.includes(span.entry)} />
        ))}
      </ol>
    </section>
  );
}

const share = (part: number): string => `${(100 * part).toFixed(2)}%`;

function Step({ span, isOpen }: { readonly span: TraceSpan; readonly isOpen: boolean }) {
  const { entry, from, to, ms } = span;
  const { id, step, name, at, actor, state, value } = entry;
  const isBad = isOpen || step === "dead_letter" || state === "failed";
  return (
    <li id={id} tabIndex={-1} className={isBad ? styles["bad"] : ""}>
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
      <div className={styles["time"]}>
        <span className={styles["track"]}>
          <span
            className={styles["bar"]}
            style={{ insetInlineStart: share(from), width: share(to - from) }}
          />
        </span>
        <span className={styles["took"]}>{gapText(ms)}</span>
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
