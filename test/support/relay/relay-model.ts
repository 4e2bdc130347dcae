import kafkajs from "kafkajs";
import type { OutboxMessage, Place } from "../../../services/outbox-relay/relay/outbox-message.ts";
import type { RelayDatabase } from "../../../services/outbox-relay/relay/relay-database.ts";
import { Relay } from "../../../services/outbox-relay/relay/relay.ts";
import {
  EVERY_TOPIC,
  type DeferredTopic,
} from "../../../services/outbox-relay/relay/store/deferral-notes.ts";
import {
  type OutboxStream,
  StreamBuffer,
} from "../../../services/outbox-relay/relay/stream/outbox-stream.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import type { Producer } from "../../../services/platform/kafka/producer.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";

/** Twenty minutes of the outbox, in which a message is written each second, are more than a trial has. */
const MARGIN_MS = 1_200_000;
const BATCH = { rows: 3, bytes: 1_000 };
const log = createLogger("test", "silent");

interface Transaction {
  readonly end: bigint;
  readonly messages: readonly OutboxMessage[];
}

/** What a relay dies of. */
export interface Death {
  /** How many more effects it has. */
  readonly effects: number;
  /** Whether the last one still happens. */
  readonly isAfter: boolean;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A database, its log and Kafka in memory, and a relay between them that can be killed after each of its effects. */
export class RelayModel {
  readonly onKafka: { id: number; topic: string; key: string; isShown: boolean }[] = [];
  readonly places = new Map<number, Place | null>();
  readonly letters = new Set<number>();
  readonly impossible = new Set<number>();
  readonly refused = new Set<string>();
  readonly notes = new Map<string, DeferredTopic>();
  isKafkaAway = false;
  #table: OutboxMessage[] = [];
  /** Committed, and in the log, but not shown by snapshots for so many turns yet. */
  #unseen: { readonly messages: readonly OutboxMessage[]; turns: number }[] = [];
  #log: Transaction[] = [];
  #slot: { confirmed: bigint } | null = null;
  #handledId = 0;
  #handledAt = new Date(0);
  #revision = 0;
  #nextId = 1;
  #nowMs = 0;
  #reader: object | null = null;
  #death: { effects: number; isAfter: boolean } | null = null;
  #life: { isOver: boolean } = { isOver: false };
  #relay: Relay;

  constructor() {
    this.#relay = this.#start();
  }

  get table(): readonly OutboxMessage[] {
    return this.#table;
  }

  /** A message with the next id, not committed yet. */
  draw(key: string, topic: string): OutboxMessage {
    const id = this.#nextId;
    this.#nextId += 1;
    return {
      id,
      day: "2031-05-01",
      createdAt: new Date(id * 1_000),
      messageId: String(id),
      topic,
      key: Buffer.from(key),
      value: Buffer.from(String(id)),
      sealedKeyId: null,
    };
  }

  /** The log has it at once, snapshots after so many turns: until then it keeps the locks of its keys. */
  commit(messages: readonly OutboxMessage[], turns = 0): void {
    const keys = new Set(messages.map(({ key }) => String(key)));
    if (this.#unseen.some((one) => one.messages.some(({ key }) => keys.has(String(key))))) {
      this.#show();
    }
    this.#unseen.push({ messages, turns });
    this.#show(({ turns: left }) => left <= 0);
    this.#log.push({ end: BigInt(this.#log.length + 1) * 100n, messages });
  }

  #show(isShown: (one: { readonly turns: number }) => boolean = () => true): void {
    const shown = this.#unseen.filter(isShown).flatMap(({ messages }) => messages);
    this.#unseen = this.#unseen.filter((one) => !isShown(one));
    this.#table = [...this.#table, ...shown].sort((one, other) => one.id - other.id);
  }

  /** As `max_slot_wal_keep_size` does. */
  loseSlot(): void {
    this.#slot = null;
    this.#reader = null;
  }

  /** As the reconciler does with a message whose effect is missing. */
  askAgain(message: OutboxMessage): void {
    if (this.places.get(message.id) == null) return;
    this.places.delete(message.id);
    this.#note(message.topic, message.id);
    this.#relay.readNotes();
  }

  killAfter(death: Death): void {
    this.#death = { ...death };
  }

  /** Lets the relay work; a killed one is replaced. */
  async run(turns: number): Promise<void> {
    for (let n = 0; n < turns; n += 1) {
      if (this.#life.isOver) await this.#restart();
      for (const one of this.#unseen) one.turns -= 1;
      this.#show(({ turns: left }) => left <= 0);
      await turn();
    }
  }

  /** Until everything is sent or set aside. */
  async settle(): Promise<void> {
    this.#death = null;
    this.#show();
    this.isKafkaAway = false;
    this.refused.clear();
    const isSettled = (): boolean =>
      this.#table.every(({ id }) => this.places.has(id)) && this.notes.size === 0;
    for (let rounds = 0; rounds < 200 && !isSettled(); rounds += 1) await this.run(50);
    await this.#relay.stop();
  }

  async #restart(): Promise<void> {
    await this.#relay.stop();
    this.#reader = null;
    this.#death = null;
    this.#relay = this.#start();
  }

  #start(): Relay {
    const life = { isOver: false };
    this.#life = life;
    const producer = this.#producer(life);
    return new Relay({
      database: this.#database(life),
      producer,
      trialProducer: producer,
      seal: { seal: (value) => ({ value, sealedKeyId: null }), open: ({ value }) => value },
      clock: systemClock,
      timing: {
        nowMs: () => this.#nowMs,
        pause: async (ms) => {
          this.#nowMs += ms / 10;
          await turn();
        },
      },
      mayStart: () => true,
      log,
      relayed: createMetrics("test").counter({ name: "relayed_total", help: "Sent" }),
    });
  }

  /** @throws where this relay is dead, or dies of it */
  async #effect<T>(life: { isOver: boolean }, happen: () => T | Promise<T>): Promise<T> {
    await turn();
    if (life.isOver) throw new Error("dead");
    const death = this.#death;
    if (death === null || (death.effects -= 1) > 0) return happen();
    life.isOver = true;
    if (death.isAfter) await happen();
    throw new Error("killed");
  }

  #producer(life: { isOver: boolean }): Producer {
    return {
      send: (messages) =>
        this.#effect(life, () => {
          if (this.isKafkaAway) throw new Error("Kafka is away");
          const topics = new Set(messages.map(({ topic }) => topic));
          for (const topic of topics) {
            if (this.refused.has(topic)) throw refusal("UNKNOWN_TOPIC_OR_PARTITION");
          }
          if (messages.some(({ messageId }) => this.impossible.has(Number(messageId)))) {
            throw refusal("MESSAGE_TOO_LARGE");
          }
          return messages.map(({ messageId, topic, key }) => {
            const id = Number(messageId);
            const isShown = this.#table.some((one) => one.id === id);
            this.onKafka.push({ id, topic, key: String(key), isShown });
            return { partition: 0, offset: this.onKafka.length };
          });
        }),
      stop: () => Promise.resolve(),
    };
  }

  #note(topic: string, id: number): void {
    this.#revision += 1;
    const known = [topic, EVERY_TOPIC].map((name) => this.notes.get(name)?.fromId ?? Infinity);
    const fromId = Math.min(id, ...known);
    this.notes.set(topic, { topic, fromId, waiting: 0, revision: this.#revision });
  }

  #waitingOf({ topic, fromId }: DeferredTopic): OutboxMessage[] {
    const isOfNote = (one: string) =>
      topic === one || (topic === EVERY_TOPIC && !this.notes.has(one));
    return this.#table.filter(
      (one) => one.id >= fromId && isOfNote(one.topic) && !this.places.has(one.id),
    );
  }

  #database(life: { isOver: boolean }): RelayDatabase {
    const effect = <T>(happen: () => T | Promise<T>): Promise<T> => this.#effect(life, happen);
    return {
      readSlot: () =>
        effect(() => {
          const free = this.#reader === null ? ("free" as const) : ("read" as const);
          return { name: "slot", state: this.#slot === null ? ("missing" as const) : free };
        }),
      makeSlot: async () => {
        await effect(() => {
          const sinceMs = this.#handledAt.getTime() - MARGIN_MS;
          const before = this.#table.filter(
            ({ id, createdAt }) => id <= this.#handledId && createdAt.getTime() < sinceMs,
          );
          const firstId = (before.at(-1)?.id ?? 0) + 1;
          for (const name of [...this.notes.keys(), EVERY_TOPIC]) this.#note(name, firstId);
        });
        await effect(() => {
          // Postgres waits for every transaction that runs.
          this.#show();
          this.#slot = { confirmed: this.#log.at(-1)?.end ?? 0n };
        });
      },
      openStream: () => effect(() => this.#openStream(life)),
      readDeferred: () => effect(() => [...this.notes.values()]),
      deferTopic: (topic, id) => effect(() => this.#note(topic, id)),
      endDeferral: ({ topic, revision }) =>
        effect(() => {
          if (this.notes.get(topic)?.revision === revision) this.notes.delete(topic);
        }),
      areShown: (xids) =>
        effect(() => !this.#unseen.some(({ messages }) => messages.some(({ id }) => xids.has(id)))),
      readWaiting: async (note, onPage) => {
        const found = await effect(() => this.#waitingOf(note));
        let goesOn = true;
        let isEnd = false;
        for (let rows = 1; goesOn && !isEnd; rows = BATCH.rows) {
          const page = found.splice(0, rows);
          isEnd = page.length < rows;
          goesOn = await onPage(page, isEnd);
        }
      },
      writeHandled: ({ places, progress }) =>
        effect(() => {
          for (const place of places) this.places.set(place.message.id, place);
          if (progress === null) return;
          this.#handledId = Math.max(this.#handledId, progress.id);
          if (progress.at > this.#handledAt) this.#handledAt = progress.at;
        }),
      setAside: ({ id }) =>
        effect(() => {
          this.letters.add(id);
          this.places.set(id, null);
        }),
      end: () => Promise.resolve(),
    };
  }

  #openStream(life: { isOver: boolean }): OutboxStream {
    const slot = this.#slot;
    if (slot === null || this.#reader !== null) throw new Error("no slot to read");
    const reader = {};
    this.#reader = reader;
    const buffer = new StreamBuffer(BATCH);
    let read = slot.confirmed;
    return {
      take: () => {
        for (const { end, messages } of this.#log) {
          if (end <= read || buffer.isFull) continue;
          for (const message of messages) buffer.addMessage(message, message.id);
          buffer.addPosition(end);
          read = end;
        }
        return buffer.take();
      },
      wait: async () => {
        this.#nowMs += 100;
        await turn();
      },
      wake: () => undefined,
      confirm: (position) => {
        if (!life.isOver && this.#slot === slot) slot.confirmed = position;
      },
      requireReader: () => {
        if (this.#reader !== reader) throw new Error("no longer the reader");
      },
      close: async () => {
        await turn();
        if (this.#reader === reader) this.#reader = null;
      },
    };
  }
}

function refusal(type: string): kafkajs.KafkaJSProtocolError {
  return new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 0 }));
}
