import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "wouter";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { HealthAnswer, HealthPoint } from "../../../services/desk/health/answers.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { useRead } from "../../ui/http/read.ts";
import { Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { useTheme } from "../../ui/theme.ts";
import { spanText } from "../../ui/time-text.ts";
import { Time } from "../../ui/time.tsx";
import styles from "./health.module.css";

const HEIGHT = 72;
const AXIS_SIZE = 34;

interface HourChartProps {
  /** Read out in place of the picture. */
  readonly label: string;
  readonly points: readonly HealthPoint[];
}

/** A measure's last hour, a sample a minute. */
function HourChart({ label, points }: HourChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [theme] = useTheme();
  useEffect(() => {
    const { current: element } = frame;
    if (element === null || points.length === 0) return;
    const chart = new uPlot(optionsFor(element), dataOf(points), element);
    const resized = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [points, theme]);
  if (points.length === 0) return null;
  const last = points.at(-1)?.value ?? 0;
  const most = Math.max(...points.map(({ value }) => value));
  return (
    <div
      ref={frame}
      role="img"
      aria-label={`${label}: now ${last}, at most ${most}`}
      className={styles["chart"]}
    />
  );
}

function dataOf(points: readonly HealthPoint[]): uPlot.AlignedData {
  return [points.map(({ at }) => Date.parse(at) / 1_000), points.map(({ value }) => value)];
}

function optionsFor(element: HTMLElement): uPlot.Options {
  const line = colourOf(element, "--accent-text");
  const text = colourOf(element, "--text-muted");
  const axis = { stroke: text, ticks: { show: false }, font: "11px system-ui" } as const;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_chart, _least, most) => [0, Math.max(1, most)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 18, space: 80 },
      {
        ...axis,
        grid: { stroke: colourOf(element, "--line"), width: 1 },
        size: AXIS_SIZE,
        space: 26,
      },
    ],
    series: [{}, { stroke: line, width: 1.5, points: { show: false } }],
  };
}

/** A colour of the page as a canvas takes it: computed, because a canvas does not know `light-dark()`. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

type Status = HealthAnswer["status"];

const TONES: Readonly<Record<Status, Tone>> = { ok: "good", slow: "warning", stuck: "bad" };

const STUCK_TEXTS: Readonly<Record<HealthAnswer["stuck_partitions"][number]["reason"], string>> = {
  readers_ended:
    "readers died or hung here. After the third, the message is dead-lettered and the partition goes on",
  unknown_schema:
    "the registry lacks the schema of a message. The partition goes on once “npm run topics” of the version that wrote it has registered it",
};

/** How the service does: each part with its last hour. */
export default function HealthPage() {
  const health = useRead<HealthAnswer>("health", "/desk/v1/health");
  return (
    <DataView query={health}>
      {(found) => (
        <Page title="Health" actions={<State status={found.status} />}>
          <Parts health={found} />
        </Page>
      )}
    </DataView>
  );
}

const MEGABYTE = 1_000_000;

function State({ status }: { readonly status: Status }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

function Parts({ health }: { readonly health: HealthAnswer }) {
  const { outbox, consumer_groups: groups, retry_tiers: tiers, providers } = health;
  const { oldest_undelivered_webhook: undelivered, dead_letters, stuck_partitions: stuck } = health;
  const { failing_endpoints: failing } = health;
  return (
    <>
      <Section title="1. Published: every change goes out by the outbox">
        <Part title="Outbox" status={outbox.status} points={outbox.last_hour} unit="messages">
          {outbox.depth.toLocaleString()} waiting
          {outbox.depth > 0 && `, the oldest for ${seconds(outbox.oldest_age_seconds)}`}
          {outbox.log_bytes >= MEGABYTE &&
            `, ${Math.round(outbox.log_bytes / MEGABYTE).toLocaleString()} MB of the database's log to read`}
          {outbox.status === "stuck" &&
            ". The log of outbox-relay names the topic in its line “Kafka refuses a topic”; without that line, see whether outbox-relay runs and reaches Kafka"}
        </Part>
      </Section>
      <Section title="2. Read: each service by its consumer group">
        {groups?.toSorted(byFlow).map(({ group, lag, members, status, last_hour }) => (
          <Part key={group} title={group} status={status} points={last_hour} unit="messages">
            {lag === 0 ? "Up to date" : `${lag.toLocaleString()} messages behind`}
            {lag > 0 && members === 0 && ", and nobody reads them"}
          </Part>
        )) ?? <p>The broker does not answer, so that their lag is not known.</p>}
        <Part title="Dead letters" status={dead_letters > 0 ? "slow" : "ok"}>
          <Link href="/dead-letters?state=parked">{dead_letters.toLocaleString()} parked</Link>
        </Part>
      </Section>
      <StuckPartitions partitions={stuck} />
      <Section title="3. Carriers: what they have answered">
        {providers.map((one) => (
          <Part
            key={one.provider}
            title={one.provider}
            status={one.status}
            points={one.last_hour}
            unit="seconds of silence"
          >
            {one.last_word_at === null ? (
              "No status update yet"
            ) : (
              <>
                Last status update <Time at={one.last_word_at} form="past" />
              </>
            )}
            {one.silent_seconds > 0 &&
              `; silent for ${seconds(one.silent_seconds)} while an order waits`}
          </Part>
        ))}
      </Section>
      <Section title="4. Webhooks: sent to customers">
        <Part
          title="Oldest undelivered"
          status={undelivered.status}
          points={undelivered.last_hour}
          unit="seconds"
        >
          {undelivered.delivery === null ? (
            "None waits"
          ) : (
            <>
              {seconds(undelivered.age_seconds)} old:{" "}
              <Link href={`/accounts/${undelivered.delivery.account.id}`}>
                {undelivered.delivery.account.name}
              </Link>
              , {undelivered.delivery.url}
            </>
          )}
        </Part>
        <Part title="Endpoints" status={failing > 0 ? "slow" : "ok"}>
          {failing === 0 ? (
            "None fails"
          ) : (
            <Link href="/webhooks?failing=true">{failing.toLocaleString()} failing</Link>
          )}
        </Part>
        {tiers?.map(({ topic, depth, status, last_hour }) => (
          <Part key={topic} title={topic} status={status} points={last_hour} unit="retry timers">
            {depth.toLocaleString()} retry timers
          </Part>
        ))}
      </Section>
    </>
  );
}

/** The services in the order in which an order passes them. */
const FLOW = ["order-lifecycle", "requirement-review", "carrier-adapter", "event-log", "webhook"];

function byFlow(one: { readonly group: string }, other: { readonly group: string }): number {
  const placeOf = (group: string): number => {
    const at = FLOW.findIndex((name) => group.startsWith(name));
    return at === -1 ? FLOW.length : at;
  };
  return placeOf(one.group) - placeOf(other.group) || one.group.localeCompare(other.group);
}

function StuckPartitions({ partitions }: { partitions: HealthAnswer["stuck_partitions"] }) {
  if (partitions.length === 0) return null;
  return (
    <Section title="Stuck partitions">
      {partitions.map((one) => (
        <section key={`${one.consumer} ${one.topic} ${one.partition}`} className={styles["part"]}>
          <header>
            <h3>
              {one.topic}, partition {one.partition}
            </h3>
            <State status={one.status} />
          </header>
          <p>
            {one.consumer}, since <Time at={one.since} form="past" />
            {one.offset !== null && `, at offset ${one.offset}`}: {STUCK_TEXTS[one.reason]}
          </p>
        </section>
      ))}
    </Section>
  );
}

function seconds(value: number): string {
  return spanText(value * 1_000);
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles["section"]}>
      <h2>{title}</h2>
      <div className={styles["parts"]}>{children}</div>
    </section>
  );
}

interface PartProps {
  readonly title: string;
  readonly status: Status;
  /** What is measured each minute, and in what; absent where nothing is. */
  readonly points?: readonly HealthPoint[];
  readonly unit?: string;
  readonly children: ReactNode;
}

function Part({ title, status, points = [], unit = "", children }: PartProps) {
  const most = Math.max(0, ...points.map(({ value }) => value));
  return (
    <section className={styles["part"]}>
      <header>
        <h3>{title}</h3>
        <State status={status} />
      </header>
      <p>{children}</p>
      <HourChart label={`${title}, the last hour, in ${unit}`} points={points} />
      {points.length > 0 && (
        <p className={styles["unit"]}>
          The last hour, in {unit}; at most {Math.round(most).toLocaleString()}
        </p>
      )}
    </section>
  );
}
