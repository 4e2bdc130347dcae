import kafkajs from "kafkajs";
import { NoBrokers } from "../../platform/kafka/broker-list.ts";

const FIRST_HOLD_MS = 2_000;
const MOST_HOLD_MS = 30_000;
/** What passes by itself is to be noticed soon. */
const MOST_LEADERLESS_MS = 4_000;

/**
 * Faults of a topic's own: no right to write to it, none of its name, a partition without a leader, or a record that it
 * does not take; and how long its rows wait for another try at most.
 */
const TOPIC_FAULTS: ReadonlyMap<string, number> = new Map([
  ["TOPIC_AUTHORIZATION_FAILED", MOST_HOLD_MS],
  ["UNKNOWN_TOPIC_OR_PARTITION", MOST_HOLD_MS],
  ["LEADER_NOT_AVAILABLE", MOST_LEADERLESS_MS],
  ["INVALID_TOPIC_EXCEPTION", MOST_HOLD_MS],
  ["MESSAGE_TOO_LARGE", MOST_HOLD_MS],
  ["RECORD_LIST_TOO_LARGE", MOST_HOLD_MS],
  ["POLICY_VIOLATION", MOST_HOLD_MS],
]);

interface Refusal {
  /** By the monotonic clock. */
  readonly heldUntil: number;
  readonly holdMs: number;
}

/** How long a topic's rows may wait after a send that failed by its own fault; null where every topic shares the fault. */
function mostHoldMs(error: unknown): number | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof NoBrokers) return null;
    const mostMs = at instanceof kafkajs.KafkaJSProtocolError && TOPIC_FAULTS.get(at.type);
    if (typeof mostMs === "number") return mostMs;
  }
  return null;
}

/** Whether a failed send is the fault of one of its topics, and says nothing of the others. */
export function isTopicFault(error: unknown): boolean {
  return mostHoldMs(error) !== null;
}

/** The rows by topic, each in the given order. */
export function byTopic<R extends { readonly topic: string }>(rows: readonly R[]): R[][] {
  const parts = new Map<string, R[]>();
  for (const row of rows) {
    const part = parts.get(row.topic);
    if (part === undefined) parts.set(row.topic, [row]);
    else part.push(row);
  }
  return [...parts.values()];
}

/**
 * Topics that Kafka refuses: their rows wait, with growing holds, and the rows of all other topics do not wait for
 * them. Until a topic is accepted again it is sent apart, because a refused batch is sent again as a whole.
 */
export class RefusedTopics {
  readonly #refused = new Map<string, Refusal>();
  #refusals = 0;

  /** How often a topic was refused: rows that were fetched before the latest refusal may overtake those that it held. */
  get refusals(): number {
    return this.#refusals;
  }

  /** The topics that were refused and not accepted since. */
  get topics(): string[] {
    return [...this.#refused.keys()];
  }

  /** Those of them whose rows wait now. */
  held(nowMs: number): string[] {
    return [...this.#refused]
      .filter(([, { heldUntil }]) => nowMs < heldUntil)
      .map(([name]) => name);
  }

  /** Splits a batch into what is sent together and, after it, each refused topic by itself. */
  apart<R extends { readonly topic: string }>(rows: readonly R[]): (readonly R[])[] {
    if (this.#refused.size === 0) return [rows];
    const trusted = rows.filter(({ topic }) => !this.#refused.has(topic));
    const refused = rows.filter(({ topic }) => this.#refused.has(topic));
    return [trusted, ...byTopic(refused)].filter(({ length }) => length > 0);
  }

  /** Whether a part that `apart` made is of a refused topic. */
  includes([first]: readonly { readonly topic: string }[]): boolean {
    return first !== undefined && this.#refused.has(first.topic);
  }

  /** Returns how long the topic's rows wait now, in milliseconds. */
  refuse(topic: string, error: unknown, nowMs: number): number {
    const before = this.#refused.get(topic)?.holdMs ?? FIRST_HOLD_MS / 2;
    const holdMs = Math.min(2 * before, mostHoldMs(error) ?? MOST_HOLD_MS);
    this.#refused.set(topic, { heldUntil: nowMs + holdMs, holdMs });
    this.#refusals += 1;
    return holdMs;
  }

  accept(rows: readonly { readonly topic: string }[]): void {
    if (this.#refused.size === 0) return;
    for (const { topic } of rows) this.#refused.delete(topic);
  }
}
