import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Counter } from "prom-client";
import type { Producer, SentTo } from "../../platform/kafka/producer.ts";
import { Linger } from "../../platform/linger.ts";
import type { Logger } from "../../platform/logger.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import { OUTBOX_SHARDS } from "../../platform/outbox/outbox.ts";
import { PastHeldFetcher } from "./past-held.ts";
import { byTopic, isTopicFault, RefusedTopics } from "./refused-topics.ts";
import { fetchUnsent, markSent, type Fetched, type OutboxRow } from "./store/outbox-rows.ts";
import type { WakeUp } from "../../platform/wake-up.ts";

const BATCH_ROWS = 1_000;
/** The most batches that are sent but not yet marked; more would only wait in memory. */
const MAX_UNMARKED = 4;
const FIRST_BACKOFF_MS = 100;
const MOST_BACKOFF_MS = 2_000;
const STOP_MS = 10_000;

export interface RelayOptions {
  readonly pool: Pool;
  readonly producer: Producer;
  /** Gives up at once, so that a topic that Kafka refuses takes no time from the others. */
  readonly trialProducer: Producer;
  readonly seal: MessageSeal;
  readonly locks: { readonly session: number; holds(shard: number): boolean };
  readonly wakeUp: WakeUp;
  readonly pollMs: number;
  /** The longest wait for more rows, under load. */
  readonly lingerMs: number;
  readonly log: Logger;
  readonly relayed: Counter;
}

const ALL_SHARDS = Array.from({ length: OUTBOX_SHARDS }, (_, shard) => shard);

/**
 * Sends the unsent rows of the shards whose locks this process holds. One batch is produced at a time, so
 * a row never overtakes an earlier one of its key; meanwhile the next is fetched and the last is marked.
 * A batch whose acknowledgement or mark is lost is sent again; every consumer tolerates the duplicates. A topic that
 * Kafka refuses keeps no other topic waiting.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #underWay = new Set<number>();
  readonly #stopping = new AbortController();
  readonly #linger: Linger;
  readonly #refused = new RefusedTopics();
  readonly #pastHeld: PastHeldFetcher;
  readonly #running: Promise<void>;
  /** Null, or the error that kept the batch from being sent. */
  #sending: Promise<Error | null> = Promise.resolve(null);
  #marking = new Set<Promise<void>>();
  #backoffMs = FIRST_BACKOFF_MS;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#linger = new Linger(options.lingerMs);
    this.#pastHeld = new PastHeldFetcher(options.pool);
    this.#running = this.#run();
  }

  /** Waits up to 10 s for the current batch; rows not marked by then are sent again by another process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#options.wakeUp.call();
    const ended = (async () => {
      await this.#running;
      await this.#sending;
      await Promise.all(this.#marking);
    })();
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { log, wakeUp, pollMs } = this.#options;
    while (!this.#stopping.signal.aborted) {
      let full: boolean;
      try {
        full = await this.#round();
      } catch (error) {
        log.warn({ err: error, pause_ms: this.#backoffMs }, "the relay failed and backs off");
        await this.#rest(this.#backoffMs);
        this.#backoffMs = Math.min(this.#backoffMs * 2, MOST_BACKOFF_MS);
        continue;
      }
      if (full || !(await wakeUp.wait(pollMs))) continue;
      const waitMs = this.#linger.msAt(performance.now());
      if (waitMs > 0) await this.#rest(waitMs);
    }
  }

  /** Sends one batch; returns whether there may be more right away. */
  async #round(): Promise<boolean> {
    const { locks } = this.#options;
    const session = locks.session;
    const shards = ALL_SHARDS.filter((shard) => locks.holds(shard));
    if (shards.length === 0) return false;
    const { refusals } = this.#refused;
    const { rows, full } = await this.#fetch(shards, session);
    if (rows.length === 0) return full;
    this.#linger.found(rows.length, performance.now());
    // After a failed batch, later rows must not be sent: everything is fetched again from the first row.
    const failure = await this.#sending;
    this.#sending = Promise.resolve(null);
    if (failure !== null) throw failure;
    // Nor those of a topic that has been refused meanwhile, of which an earlier row waits now.
    if (this.#refused.refusals !== refusals) return true;
    if (this.#marking.size >= MAX_UNMARKED) await Promise.race(this.#marking);
    if (this.#stopping.signal.aborted) return false;
    if (locks.session !== session) return true;
    this.#sending = this.#send(rows);
    return full;
  }

  #fetch(shards: readonly number[], session: number): Promise<Fetched> {
    const { pool, locks } = this.#options;
    const now = performance.now();
    const range = { shards, underWay: [...this.#underWay], limit: BATCH_ROWS };
    const held = this.#refused.held(now);
    if (held.length === 0) return fetchUnsent(pool, range);
    const mayGoOn = () => !this.#stopping.signal.aborted && locks.session === session;
    const { topics: refused } = this.#refused;
    return this.#pastHeld.fetch({ ...range, session, refused, held, mayGoOn }, now);
  }

  /** Null once each row was sent or its topic is held; else what kept the rest from being sent. */
  async #send(rows: readonly OutboxRow[]): Promise<Error | null> {
    for (const { id } of rows) this.#underWay.add(id);
    const { producer, trialProducer } = this.#options;
    const parts = this.#refused.apart(rows).map((part) => ({
      part,
      by: this.#refused.includes(part) ? trialProducer : producer,
    }));
    for (let next = parts.shift(); next !== undefined; next = parts.shift()) {
      const { part, by } = next;
      try {
        await this.#sendPart(part, by);
      } catch (error) {
        if (!isTopicFault(error)) {
          this.#leave([part, ...parts.map((one) => one.part)].flat());
          this.#options.wakeUp.call();
          return error instanceof Error ? error : new Error("Not an Error", { cause: error });
        }
        // Of several topics only one may be at fault.
        const topics = byTopic(part);
        if (topics.length === 1) this.#hold(part, error);
        else parts.unshift(...topics.map((topic) => ({ part: topic, by: trialProducer })));
      }
    }
    return null;
  }

  async #sendPart(rows: readonly OutboxRow[], producer: Producer): Promise<void> {
    const { seal, relayed } = this.#options;
    const opened = rows.map((row) => ({ ...row, value: seal.open(row, row), sealedKeyId: null }));
    const places = await producer.send(opened);
    relayed.inc(rows.length);
    this.#backoffMs = FIRST_BACKOFF_MS;
    this.#refused.accept(rows);
    const marking = this.#mark(rows, places).finally(() => this.#marking.delete(marking));
    this.#marking.add(marking);
  }

  /** Lets the rows of one topic wait. */
  #hold(rows: readonly OutboxRow[], error: unknown): void {
    const [{ topic } = { topic: "" }] = rows;
    const pause_ms = this.#refused.refuse(topic, error, performance.now());
    this.#options.log.error(
      { err: error, topic, rows: rows.length, pause_ms },
      "Kafka refuses a topic; its messages wait, those of other topics do not",
    );
    this.#leave(rows);
  }

  /** Rows that were not sent are fetched again. */
  #leave(rows: readonly OutboxRow[]): void {
    for (const { id } of rows) this.#underWay.delete(id);
  }

  /** Retries until it succeeds or the service stops: rows under way are not fetched again. */
  async #mark(rows: readonly OutboxRow[], places: readonly SentTo[]): Promise<void> {
    const { pool, log } = this.#options;
    for (let wait = FIRST_BACKOFF_MS; ; wait = Math.min(wait * 2, MOST_BACKOFF_MS)) {
      try {
        await markSent(pool, rows, places);
        break;
      } catch (error) {
        log.warn({ err: error, rows: rows.length }, "sent rows could not be marked; retrying");
        if (this.#stopping.signal.aborted) break;
        await this.#rest(wait);
      }
    }
    this.#leave(rows);
  }

  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
