import { groupsOf } from "../../messages/bus/topic-rights.ts";
import { isRetryTopic } from "../../messages/topics.ts";
import { parseDuration } from "../../platform/config.ts";
import type { StuckPartition } from "../../platform/kafka/first-batches.ts";
import type { GroupLag } from "../../platform/kafka/group-positions.ts";
import type { HealthAnswer, HealthPoint } from "./answers.ts";
import { judgeMeasure, worstOf, type HealthMeasure } from "./rules/health-thresholds.ts";
import type { HealthSample, Measures, StoredHealth, StoredProvider } from "./store.ts";

const RETRY_GROUP = "webhook-retry-";
/** Keeps no offsets, but reads its topics from the start whenever it joins. */
const COMMITS_NO_OFFSETS = "sandbox-carrier";
/** The schedule of the retries, by which their groups are named, is the sender's own. */
const NAMED = new Set([...groupsOf([]).values()].flat());

/** Whether a consumer group, without the deployment's prefix, is one of our services'. */
export function isOurGroup(group: string): boolean {
  return group !== COMMITS_NO_OFFSETS && (NAMED.has(group) || isRetryGroup(group));
}

/** Whether the group's lag is the timers that have yet to fire. */
function isRetryGroup(group: string): boolean {
  return group.startsWith(RETRY_GROUP);
}

/** What the health is judged by. */
export interface HealthReadings {
  readonly stored: StoredHealth;
  readonly failingEndpoints: number;
  /** Without the deployment's prefix. */
  readonly stuck: readonly StuckPartition[];
  /** Without the deployment's prefix; null where the broker did not answer in time. */
  readonly lags: readonly GroupLag[] | null;
  /** Of the last hour, oldest first. */
  readonly samples: readonly HealthSample[];
  /** Every provider that the carriers' files name. */
  readonly providers: readonly string[];
  readonly now: Date;
}

/** The measure of a group's lag on one topic: `topic_lag order-lifecycle porting.review-results`. */
export const TOPIC_LAG = "topic_lag";

export interface JudgedHealth {
  readonly answer: HealthAnswer;
  /** What a sample keeps of it. */
  readonly measures: Measures;
}

export function presentHealth(readings: HealthReadings): JudgedHealth {
  const judge = new Judge(readings.samples);
  const { stored, failingEndpoints, lags, now } = readings;
  const consumer_groups = lags === null ? null : presentGroups(lags, judge);
  const retry_tiers = lags === null ? null : presentTiers(lags, judge);
  const outbox = presentOutbox(readings, judge);
  const oldest_undelivered_webhook = presentOldest(readings, judge);
  const providers = providersOf(readings).map((one) => presentProvider(one, { judge, now }));
  const stuck_partitions = readings.stuck.map(presentStuck);
  const statuses = [
    ...stuck_partitions.map((one) => one.status),
    ...[...(consumer_groups ?? []), ...(retry_tiers ?? []), ...providers].map((one) => one.status),
    outbox.status,
    oldest_undelivered_webhook.status,
    stored.dead_letters + failingEndpoints > 0 ? ("slow" as const) : ("ok" as const),
  ];
  const answer = {
    status: worstOf(statuses),
    consumer_groups,
    stuck_partitions,
    outbox,
    retry_tiers,
    oldest_undelivered_webhook,
    failing_endpoints: failingEndpoints,
    dead_letters: stored.dead_letters,
    providers,
  };
  return { answer, measures: judge.measures };
}

/** Judges values beside their last hour, and collects them. */
class Judge {
  readonly measures: Record<string, number> = {};
  readonly #samples: readonly HealthSample[];

  constructor(samples: readonly HealthSample[]) {
    this.#samples = samples;
  }

  of(measure: HealthMeasure, value: number, subject = "") {
    const name = `${measure} ${subject}`.trimEnd();
    this.measures[name] = value;
    const last_hour = this.#samples.flatMap(({ minute, measures }): HealthPoint[] => {
      const sampled = measures[name];
      return sampled === undefined ? [] : [{ at: minute.toISOString(), value: sampled }];
    });
    const earlier = last_hour.map((point) => point.value);
    return { status: judgeMeasure({ measure, value, earlier }), last_hour };
  }

  /** Collects a value that only the metrics show. */
  note(name: string, value: number): void {
    this.measures[name] = value;
  }
}

function presentGroups(lags: readonly GroupLag[], judge: Judge) {
  const names = [...new Set(lags.map(({ group }) => group).filter(isOurGroup))].sort();
  return names.map((group) => {
    const topics = lags
      .filter((one) => one.group === group)
      .map(({ topic, messages }) => ({ topic, lag: messages }));
    const lag = topics.reduce((sum, one) => sum + one.lag, 0);
    for (const one of topics) judge.note(`${TOPIC_LAG} ${group} ${one.topic}`, one.lag);
    const measure = isRetryGroup(group) ? "retry_depth" : "consumer_lag";
    const members = lags.find((one) => one.group === group)?.members ?? 0;
    const { status, last_hour } = judge.of(measure, lag, group);
    const isUnread = lag > 0 && members === 0;
    return {
      group,
      lag,
      members,
      topics,
      status: isUnread ? ("stuck" as const) : status,
      last_hour,
    };
  });
}

function presentStuck({ consumer, topic, partition, offset, waits_for, since }: StuckPartition) {
  return {
    ...{ consumer, topic, partition, offset },
    reason: waits_for === null ? ("readers_ended" as const) : ("unknown_schema" as const),
    since: since.toISOString(),
    status: "stuck" as const,
  };
}

function presentTiers(lags: readonly GroupLag[], judge: Judge) {
  return lags
    .filter(({ group, topic }) => isOurGroup(group) && isRetryTopic(topic))
    .map(({ topic, messages: depth }) => ({
      topic,
      depth,
      ...judge.of("retry_depth", depth, topic),
    }))
    .sort((a, b) => delayOf(a.topic) - delayOf(b.topic));
}

/** The delay topic's name ends in its step. */
function delayOf(topic: string): number {
  return parseDuration(topic.slice(topic.lastIndexOf(".") + 1));
}

function presentOutbox({ stored, now }: HealthReadings, judge: Judge): HealthAnswer["outbox"] {
  const { outbox_depth: depth } = stored;
  const age = secondsSince(stored.outbox_oldest_at, now);
  const byDepth = judge.of("outbox_depth", depth);
  const byAge = judge.of("outbox_age", age);
  const log_bytes = stored.outbox_log_bytes ?? 0;
  const byLog = judge.of("outbox_log", log_bytes);
  return {
    depth,
    oldest_age_seconds: age,
    log_bytes,
    status: worstOf([byDepth.status, byAge.status, byLog.status]),
    last_hour: byDepth.last_hour,
    oldest_age_last_hour: byAge.last_hour,
  };
}

function presentOldest({ stored: { oldest_delivery: oldest }, now }: HealthReadings, judge: Judge) {
  const age = secondsSince(oldest?.created_at ?? null, now);
  const delivery =
    oldest === null ? null : { ...oldest, created_at: instant(oldest.created_at) ?? "" };
  return { delivery, age_seconds: age, ...judge.of("delivery_age", age) };
}

/** Those that have files, and those that orders or updates name. */
function providersOf({ stored, providers }: HealthReadings): StoredProvider[] {
  const known = new Map(stored.providers.map((one) => [one.provider, one]));
  const names = [...new Set([...providers, ...known.keys()])].sort();
  const silent = { last_word_at: null, porting_order_id: null, waiting_since: null };
  return names.map((provider) => known.get(provider) ?? { provider, ...silent });
}

function presentProvider(
  { provider, last_word_at, porting_order_id, waiting_since }: StoredProvider,
  { judge, now }: { readonly judge: Judge; readonly now: Date },
) {
  const silent_seconds =
    waiting_since === null
      ? 0
      : Math.min(
          secondsSince(waiting_since, now),
          last_word_at === null ? Infinity : secondsSince(last_word_at, now),
        );
  const judged = judge.of("provider_silence", silent_seconds, provider);
  return {
    provider,
    last_word_at: instant(last_word_at),
    porting_order_id,
    silent_seconds,
    ...judged,
  };
}

function secondsSince(since: string | null, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - Date.parse(since)) / 1_000);
}

function instant(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}
