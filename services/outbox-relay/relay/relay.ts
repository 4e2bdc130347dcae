import { setTimeout as pause } from "node:timers/promises";
import type { Counter } from "prom-client";
import type { Clock } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import type { Producer } from "../../platform/kafka/producer.ts";
import type { Logger } from "../../platform/logger.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import { DeferredTopics, REFUSED_PAUSE_MS } from "./deferred-topics.ts";
import type { OutboxMessage, Place } from "./outbox-message.ts";
import type { RelayDatabase } from "./relay-database.ts";
import { Sender, type Refused } from "./sender.ts";
import type { DeferredTopic } from "./store/deferral-notes.ts";
import type { Progress } from "./store/sent-messages.ts";
import {
  isGone,
  isReadByAnother,
  type OutboxStream,
  type Position,
} from "./stream/outbox-stream.ts";

/** How often a copy that waits asks whether the slot is free. */
const STANDBY_MS = 500;
const BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 5_000;
/** How often places are written and the position is confirmed. */
const CONFIRM_MS = 1_000;
/** So many places wait in memory while they cannot be written, and so many ids are remembered. */
const MOST_PLACES = 20_000;
/** A commit that the log has reported is soon shown by snapshots too, or once a synchronous standby has it. */
const FIRST_UNSHOWN_PAUSE_MS = 2;
const MOST_UNSHOWN_PAUSE_MS = 100;
const IDLE_MS = 60_000;
const STOP_MS = 10_000;

/** Pauses, and a clock that runs evenly. */
export interface Timing {
  nowMs(): number;
  /** Ends early where the signal is aborted. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  nowMs: () => performance.now(),
  async pause(ms, signal) {
    const options = signal === undefined ? { ref: false } : { signal };
    await pause(ms, undefined, options).catch(() => undefined);
  },
};

export interface RelayOptions {
  readonly database: RelayDatabase;
  readonly producer: Producer;
  /** Gives up at once, so that a topic that Kafka refuses takes no time from the others. */
  readonly trialProducer: Producer;
  readonly seal: MessageSeal;
  readonly clock: Clock;
  readonly timing: Timing;
  /** False while it is not known whether the database was restored. */
  readonly mayStart: () => boolean;
  readonly log: Logger;
  readonly relayed: Counter;
}

/**
 * Sends the outbox to Kafka: what is committed is read from the log of the database, by one process at a time, and one batch
 * is under way at a time, so that a message never overtakes an earlier one of its key. What the log does not have any more, and
 * the messages of topics that Kafka refused, are read from the table (docs/adr/0057).
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stopping = new AbortController();
  readonly #deferred = new DeferredTopics();
  readonly #sender: Sender;
  readonly #running: Promise<void>;
  #stream: OutboxStream | null = null;
  /** The topic whose messages are sent from the table. */
  #draining: string | null = null;
  #areNotesOld = true;
  /** Where messages went, by their ids, and how far the stream has come; what is not written yet, and what is. */
  #places = new Map<number, Place>();
  #progress: Progress | null = null;
  #written: Progress | null = null;
  /** What this process has sent: the stream repeats what came from the table, or before its connection was lost. */
  readonly #sent = new Set<number>();
  /** May be confirmed once the places and the progress are written; it is that of one stream. */
  #position: Position | null = null;
  #confirming: Promise<void> = Promise.resolve();
  #confirmedMs = -Infinity;
  #isConfirmingSoon = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { producer, trialProducer, seal, log } = options;
    this.#sender = new Sender({
      producer,
      trialProducer,
      seal,
      log,
      mayStillSend: () => this.#requireSending(),
      rest: (ms) => this.#rest(ms),
      onSent: (places) => this.#noteSent(places),
      onRefused: (refused) => this.#refuse(refused),
      onImpossible: (message, detail) => this.#setAside(message, detail),
    });
    this.#running = this.#run();
  }

  /** Whether this process reads the slot, which one process does at a time. */
  isReader(): boolean {
    try {
      this.#requireReader();
      return true;
    } catch {
      return false;
    }
  }

  /** Notes of topics were written by somebody else. */
  readNotes(): void {
    this.#areNotesOld = true;
    this.#stream?.wake();
  }

  /** Waits up to 10 s for the current batch; what is not confirmed by then is sent again by another process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stream?.wake();
    await Promise.race([this.#running, this.#options.timing.pause(STOP_MS)]);
  }

  #mustStop(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    const backoff = { ms: BACKOFF_MS };
    while (!this.#mustStop()) {
      try {
        const stream = this.#options.mayStart() ? await this.#openStream() : null;
        if (stream === null) {
          await this.#rest(STANDBY_MS);
          continue;
        }
        backoff.ms = BACKOFF_MS;
        await this.#relay(stream);
      } catch (error) {
        if (this.#mustStop()) break;
        this.#options.log.warn({ err: error, pause_ms: backoff.ms }, "the relay begins again");
        await this.#rest(backoff.ms);
        backoff.ms = Math.min(2 * backoff.ms, MOST_BACKOFF_MS);
      }
    }
  }

  /** Null while another process reads the slot. */
  async #openStream(): Promise<OutboxStream | null> {
    const { database, log } = this.#options;
    const slot = await database.readSlot();
    if (slot.state === "read") return null;
    if (slot.state !== "free") {
      log.warn({ slot: slot.name }, `the slot is ${slot.state}: it is made, and the table is read`);
      await database.makeSlot(false);
    }
    try {
      return await database.openStream(slot.name);
    } catch (error) {
      if (isReadByAnother(error)) return null;
      if (isGone(error)) await database.makeSlot(true);
      throw error;
    }
  }

  async #relay(stream: OutboxStream): Promise<void> {
    this.#stream = stream;
    this.#position = null;
    this.#options.log.info("this process sends the outbox");
    try {
      await this.#loadNotes();
      while (!this.#mustStop()) {
        stream.requireReader();
        if (this.#areNotesOld) await this.#loadNotes();
        const due = this.#deferred.due(this.#options.timing.nowMs());
        if (due !== null) await this.#drain(due);
        else if (!(await this.#relayBatch())) {
          await stream.wait(Math.min(IDLE_MS, this.#deferred.waitMs(this.#options.timing.nowMs())));
        }
      }
    } finally {
      await this.#confirmAll().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, "where messages went could not be written");
      });
      this.#stream = null;
      await stream.close();
    }
  }

  async #loadNotes(): Promise<void> {
    this.#areNotesOld = false;
    this.#deferred.load(await this.#options.database.readDeferred());
  }

  /** Returns whether there was one. */
  async #relayBatch(): Promise<boolean> {
    const { messages, xids, position } = this.#requireReader().take();
    if (messages.length === 0 && position === null) return false;
    await this.#waitUntilShown(xids);
    const unsent = messages.filter(({ id }) => !this.#sent.has(id));
    const isLater = ({ topic }: OutboxMessage) => this.#deferred.includes(topic);
    await this.#defer(unsent.filter(isLater));
    await this.#sender.send(unsent.filter((message) => !isLater(message)));
    for (const { id, createdAt } of messages) {
      const { id: highest = id, at: latest = createdAt } = this.#progress ?? {};
      this.#progress = {
        id: Math.max(id, highest),
        at: createdAt > latest ? createdAt : latest,
      };
    }
    this.#position = position ?? this.#position;
    await this.#confirmSoon();
    return true;
  }

  /** The log reports a commit before snapshots show it: who is sent a message can read what was written with it. */
  async #waitUntilShown(xids: ReadonlySet<number>): Promise<void> {
    let pauseMs = FIRST_UNSHOWN_PAUSE_MS;
    while (!(await this.#options.database.areShown(xids))) {
      this.#requireSending();
      await this.#rest(pauseMs);
      pauseMs = Math.min(2 * pauseMs, MOST_UNSHOWN_PAUSE_MS);
    }
  }

  /** Leaves messages to the table; the notes are written before the position passes them. */
  async #defer(messages: readonly OutboxMessage[], areRefused = false): Promise<void> {
    const lower = this.#deferred.add(messages, areRefused);
    for (const [topic, id] of lower) await this.#options.database.deferTopic(topic, id);
    if (lower.size > 0) await this.#loadNotes();
  }

  /**
   * Sends the messages of a topic from the table, one snapshot of it, between the batches of the stream. It is over where there was
   * no batch between, so that nothing was left to the table meanwhile.
   */
  async #drain(note: DeferredTopic): Promise<void> {
    const { database } = this.#options;
    await this.#confirmAll();
    const reading = { isOver: true };
    await database.readWaiting(note, async (messages, isLast) => {
      const areTaken = await this.#sendFromTable(note.topic, messages);
      // Not after the first by itself: with one more page the snapshot may still be the last.
      if (areTaken && !isLast && messages.length > 1) {
        reading.isOver = false;
        await this.#relayBatch();
      }
      reading.isOver &&= areTaken;
      await this.#confirmSoon();
      return areTaken;
    });
    if (!reading.isOver) return;
    await this.#confirmAll();
    await database.endDeferral(note);
    await this.#loadNotes();
  }

  /** Returns whether the topic takes them; of every topic, some may wait by themselves meanwhile. */
  async #sendFromTable(topic: string, messages: readonly OutboxMessage[]): Promise<boolean> {
    this.#draining = topic;
    try {
      const isLater = (one: OutboxMessage) => one.topic !== topic && this.#deferred.has(one.topic);
      await this.#defer(messages.filter(isLater));
      await this.#sender.send(
        messages.filter((one) => !isLater(one)),
        true,
      );
    } finally {
      this.#draining = null;
    }
    return !this.#mustStop() && !this.#deferred.isPaused(topic, this.#options.timing.nowMs());
  }

  #noteSent(places: readonly Place[]): void {
    for (const place of places) {
      this.#places.set(place.message.id, place);
      this.#sent.add(place.message.id);
    }
    forgetOldest(this.#sent);
    this.#options.relayed.inc(places.length);
    if (this.#draining !== null) this.#deferred.sent(this.#draining, places.length);
  }

  async #refuse({ messages, error }: Refused): Promise<void> {
    const topic = messages[0]?.topic ?? "";
    if (topic !== this.#draining) await this.#defer(messages, true);
    this.#deferred.pause(topic, this.#options.timing.nowMs() + REFUSED_PAUSE_MS);
    this.#options.log.error(
      { err: error, topic, rows: messages.length, pause_ms: REFUSED_PAUSE_MS },
      "Kafka refuses a topic; its messages wait, those of other topics do not",
    );
  }

  async #setAside(message: OutboxMessage, detail: string): Promise<void> {
    const { database, clock, log } = this.#options;
    await database.setAside(message, { letterId: newId(clock.now()), detail });
    const { topic, messageId: message_id } = message;
    log.error({ topic, message_id, detail }, "a message that cannot be sent was set aside");
  }

  /** At most once a second, and off the way of the messages. */
  async #confirmSoon(): Promise<void> {
    if (this.#places.size > MOST_PLACES) return this.#confirmAll();
    if (this.#isConfirmingSoon) return;
    this.#isConfirmingSoon = true;
    void this.#confirmInTime();
  }

  async #confirmInTime(): Promise<void> {
    const { timing, log } = this.#options;
    await this.#rest(Math.max(0, this.#confirmedMs + CONFIRM_MS - timing.nowMs()));
    this.#isConfirmingSoon = false;
    await this.#confirmAll().catch((error: unknown) => {
      log.warn({ err: error }, "where messages went could not be written yet");
    });
  }

  /** Writes where messages went, and then confirms the position. @throws where that cannot be written */
  #confirmAll(): Promise<void> {
    const confirming = this.#confirming.then(() => this.#confirm());
    this.#confirming = confirming.catch(() => undefined);
    return confirming;
  }

  async #confirm(): Promise<void> {
    const stream = this.#stream;
    const [places, progress, position] = [this.#places, this.#progress, this.#position];
    this.#confirmedMs = this.#options.timing.nowMs();
    if (places.size > 0 || progress !== this.#written) {
      this.#places = new Map();
      try {
        const waiting = this.#deferred.waiting();
        await this.#options.database.writeHandled({
          places: [...places.values()],
          progress,
          waiting,
        });
      } catch (error) {
        this.#places = new Map([...places, ...this.#places]);
        throw error;
      }
      this.#written = progress;
    }
    if (position !== null) stream?.confirm(position);
  }

  /** @throws where this process does not read the slot */
  #requireReader(): OutboxStream {
    if (this.#stream === null) throw new Error("This process does not read the slot.");
    this.#stream.requireReader();
    return this.#stream;
  }

  #requireSending(): void {
    if (this.#mustStop()) throw new Error("The relay is being stopped.");
    this.#requireReader();
  }

  async #rest(ms: number): Promise<void> {
    await this.#options.timing.pause(ms, this.#stopping.signal);
  }
}

function forgetOldest(ids: Set<number>): void {
  for (const id of ids) {
    if (ids.size <= MOST_PLACES) return;
    ids.delete(id);
  }
}
