import { Badge } from "../../../ui/badge.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import type { TraceEntry } from "../queries.ts";
import { isUnfinished, type TraceGroup } from "./group-trace.ts";
import styles from "./trace-line.module.css";

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

interface StepProps {
  readonly entry: TraceEntry;
  readonly before: TraceEntry | undefined;
}

function Step({ entry, before }: StepProps) {
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
