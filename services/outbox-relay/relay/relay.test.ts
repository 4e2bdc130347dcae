import { afterEach, describe, expect, it, jest } from "@jest/globals";
import kafkajs from "kafkajs";
import type { Pool, QueryConfig } from "pg";
import { eventually } from "../../../test/support/eventually.ts";
import { AppError } from "../../platform/errors.ts";
import type { Producer } from "../../platform/kafka/producer.ts";
import { createLogger } from "../../platform/logger.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { createMessageSeal } from "../../platform/outbox/message-seal.ts";
import { WakeUp } from "../../platform/wake-up.ts";
import { Relay } from "./relay.ts";

/** Shards, ids under way, limit; and of a fetch past held topics, those and the id above which it begins. */
type FetchValues = [unknown, readonly number[], unknown, (readonly string[])?, number?];

/** The unsent rows, as far as the relay's statements are concerned. No transaction stays open. */
class FakeOutbox {
  fetches = 0;
  /** The id that each fetch past held topics began above. */
  readonly floors: number[] = [];
  /** How often sent rows became unsent again. */
  unsentAgain = 0;
  /** Ids that a fetch should have found, and began above. */
  readonly skipped: number[] = [];
  #highest = 0;
  #transaction = 0;
  #unsent: { readonly id: number; readonly topic: string }[] = [];

  add(id: number, topic: string): void {
    this.#unsent.push({ id, topic });
    this.#highest = Math.max(this.#highest, id);
  }

  readonly pool = {
    query: ({ name, values = [] }: QueryConfig) => {
      if (name === "outbox-mark") {
        const [sent] = values as [number[]];
        this.#unsent = this.#unsent.filter(({ id }) => !sent.includes(id));
        return Promise.resolve({ rows: [] });
      }
      if (name === "outbox-horizon") return Promise.resolve({ rows: [this.#horizon()] });
      this.fetches += 1;
      const pastHeld = name === "outbox-fetch-past-held";
      const [, underWay, , held = [], above = 0] = values as FetchValues;
      const wanted = this.#unsent.filter(
        ({ id, topic }) => !underWay.includes(id) && !held.includes(topic),
      );
      if (pastHeld) this.floors.push(above);
      this.skipped.push(...wanted.filter(({ id }) => id <= above).map(({ id }) => id));
      const rows = wanted
        .filter(({ id }) => id > above)
        .map((row) => ({ ...row, message_id: String(row.id), day: "2026-01-01", headers: {} }))
        .map((row) => ({ ...row, key: null, value: null, sealed_key_id: null }));
      const [none, examination] = [
        { id: null },
        { unsent_again: this.unsentAgain, examined_to: null },
      ];
      const joined = (rows.length > 0 ? rows : [none]).map((row) => ({ ...row, ...examination }));
      return Promise.resolve({ rows: pastHeld ? joined : rows });
    },
  } as unknown as Pool;

  #horizon() {
    this.#transaction += 1;
    const [oldest_transaction, next_transaction] = [this.#transaction, this.#transaction];
    return { highest: this.#highest, oldest_transaction, next_transaction, low_id: 0 };
  }
}

const unknownTopic = (): AppError => {
  const type = "UNKNOWN_TOPIC_OR_PARTITION";
  const cause = new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 3 }));
  return new AppError("broker_unavailable", "refused", { retryable: true, cause });
};

/** A broker that refuses the first message, when it is told to, and accepts all others. */
function openBroker() {
  const accepted: string[] = [];
  const asked: string[] = [];
  let refuse = (): void => undefined;
  const refused = new Promise<void>((resolve) => (refuse = resolve));
  const producer: Producer = {
    send: async (messages) => {
      const isFirst = asked.length === 0;
      const ids = messages.map(({ messageId }) => messageId);
      asked.push(...ids);
      if (isFirst) {
        await refused;
        throw unknownTopic();
      }
      accepted.push(...ids);
      return messages.map((_, offset) => ({ partition: 0, offset }));
    },
    stop: () => Promise.resolve(),
  };
  return { producer, accepted, asked, refuse };
}

interface Parts {
  readonly producer: Producer;
  readonly trialProducer?: Producer;
  readonly wakeUp: WakeUp;
  readonly pollMs?: number;
}

function startRelay(outbox: FakeOutbox, { producer, trialProducer, wakeUp, pollMs }: Parts): Relay {
  return new Relay({
    pool: outbox.pool,
    producer,
    trialProducer: trialProducer ?? producer,
    seal: createMessageSeal(null, () => false),
    locks: { session: 1, holds: () => true },
    wakeUp,
    pollMs: pollMs ?? 5,
    lingerMs: 0,
    log: createLogger("test", "silent"),
    relayed: createMetrics("test").counter({ name: "relayed_total", help: "Rows" }),
  });
}

describe("the relay", () => {
  it("sends no row of a refused topic that it fetched before the refusal: an earlier one waits", async () => {
    const outbox = new FakeOutbox();
    const { producer, accepted, asked, refuse } = openBroker();
    const wakeUp = new WakeUp();
    const relay = startRelay(outbox, { producer, wakeUp });
    outbox.add(1, "refused");
    wakeUp.call();
    await eventually(() => expect(asked).toEqual(["1"]));
    outbox.add(2, "refused");
    outbox.add(3, "other");
    const { fetches } = outbox;
    wakeUp.call();
    await eventually(() => expect(outbox.fetches).toBeGreaterThan(fetches));
    refuse();
    await eventually(() => expect(accepted).toContain("3"));
    await relay.stop();
    expect(accepted).toEqual(["3"]);
  });

  it("sends no row that it fetched before an earlier batch was not acknowledged: that one goes first", async () => {
    const outbox = new FakeOutbox();
    const batches: string[][] = [];
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const producer: Producer = {
      send: async (messages) => {
        batches.push(messages.map(({ messageId }) => messageId));
        if (batches.length === 1) {
          await lost;
          throw new Error("not acknowledged");
        }
        return messages.map((_, offset) => ({ partition: 0, offset }));
      },
      stop: () => Promise.resolve(),
    };
    const wakeUp = new WakeUp();
    const relay = startRelay(outbox, { producer, wakeUp });
    outbox.add(1, "events");
    wakeUp.call();
    await eventually(() => expect(batches).toEqual([["1"]]));
    outbox.add(2, "events");
    const { fetches } = outbox;
    wakeUp.call();
    await eventually(() => expect(outbox.fetches).toBeGreaterThan(fetches));
    lose();
    await eventually(() => expect(batches.flat()).toContain("2"));
    await relay.stop();
    expect(batches).toEqual([["1"], ["1", "2"]]);
  });

  it("begins above the rows of a refused topic, and above none that was not sent", async () => {
    const outbox = new FakeOutbox();
    const accepted: string[] = [];
    let failures = 0;
    const producer: Producer = {
      send: (messages) => {
        if (messages.some(({ topic }) => topic === "refused"))
          return Promise.reject(unknownTopic());
        failures += 1;
        // Every second batch is lost, as when its leader has gone.
        if (failures % 2 === 1) return Promise.reject(new Error("not acknowledged"));
        accepted.push(...messages.map(({ messageId }) => messageId));
        return Promise.resolve(messages.map((_, offset) => ({ partition: 0, offset })));
      },
      stop: () => Promise.resolve(),
    };
    const wakeUp = new WakeUp();
    outbox.add(1, "refused");
    outbox.add(2, "refused");
    const relay = startRelay(outbox, { producer, wakeUp });
    let last = 2;
    await eventually(async () => {
      last += 1;
      outbox.add(last, "other");
      wakeUp.call();
      await eventually(() => expect(accepted).toContain(String(last)));
      expect(Math.max(...outbox.floors)).toBeGreaterThanOrEqual(2);
    });
    await relay.stop();
    expect(outbox.skipped).toEqual([]);
    expect(accepted).toEqual(Array.from({ length: last - 2 }, (_, n) => String(n + 3)));
  });
});

/** Refuses one topic, accepts all others. */
function openRefusing(onRefused: (ids: readonly string[]) => void = () => undefined) {
  const accepted: string[] = [];
  const producer: Producer = {
    send: (messages) => {
      const ids = messages.map(({ messageId }) => messageId);
      if (messages.some(({ topic }) => topic === "refused")) {
        onRefused(ids);
        return Promise.reject(unknownTopic());
      }
      accepted.push(...ids);
      return Promise.resolve(messages.map((_, offset) => ({ partition: 0, offset })));
    },
    stop: () => Promise.resolve(),
  };
  return { producer, accepted };
}

it("what became unsent again below the rows of a refused topic is sent at once, before what was written later", async () => {
  const outbox = new FakeOutbox();
  const { producer, accepted } = openRefusing();
  const wakeUp = new WakeUp();
  outbox.add(2, "refused");
  const relay = startRelay(outbox, { producer, wakeUp, pollMs: 300_000 });
  await eventually(() => {
    wakeUp.call();
    expect(Math.max(...outbox.floors)).toBe(2);
  });
  outbox.add(1, "other");
  outbox.add(3, "other");
  outbox.unsentAgain += 1;
  wakeUp.call();
  await eventually(() => expect(accepted).toContain("3"));
  await relay.stop();
  expect(accepted).toEqual(["1", "3"]);
});

/** All but the clock by which topics are held. */
const REAL_TIMERS = [
  ...(["Date", "hrtime", "nextTick", "queueMicrotask", "setImmediate", "clearImmediate"] as const),
  ...(["setInterval", "clearInterval", "setTimeout", "clearTimeout"] as const),
];
const LONGEST_HOLD_MS = 30_000;

describe("a topic that Kafka refuses again and again", () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A relay of two producers that refuse the topic, and how often: by which, and after how many fetches past it. */
  function startRefused() {
    jest.useFakeTimers({ doNotFake: REAL_TIMERS });
    const outbox = new FakeOutbox();
    const tries: { readonly by: string; readonly fetches: number }[] = [];
    const refusing = (by: string) =>
      openRefusing((ids) => {
        tries.push({ by: `${ids.join()} by the ${by}`, fetches: outbox.floors.length });
      });
    const [first, trial] = [refusing("first"), refusing("trial")];
    const wakeUp = new WakeUp();
    outbox.add(1, "refused");
    const parts = { producer: first.producer, trialProducer: trial.producer, wakeUp };
    return { outbox, tries, first, trial, wakeUp, relay: startRelay(outbox, parts) };
  }

  it("is tried apart by the producer that gives up at once, and the others are sent meanwhile", async () => {
    const { outbox, tries, first, trial, wakeUp, relay } = startRefused();
    for (let n = 1; n <= 4; n += 1) {
      await eventually(() => expect(tries).toHaveLength(n));
      outbox.add(n + 1, "other");
      wakeUp.call();
      await eventually(() => expect(first.accepted).toHaveLength(n));
      jest.advanceTimersByTime(LONGEST_HOLD_MS);
    }
    await relay.stop();
    expect(tries.slice(0, 4).map(({ by }) => by)).toEqual([
      "1 by the first",
      ...Array.from({ length: 3 }, () => "1 by the trial"),
    ]);
    expect([first.accepted, trial.accepted]).toEqual([["2", "3", "4", "5"], []]);
  });

  it("is not read past from the first row again once its rows were", async () => {
    const { outbox, tries, relay } = startRefused();
    await eventually(() => expect(Math.max(...outbox.floors)).toBe(1));
    jest.advanceTimersByTime(LONGEST_HOLD_MS);
    await eventually(() => expect(tries).toHaveLength(2));
    const fetches = tries[1]?.fetches ?? NaN;
    await eventually(() => expect(outbox.floors.length).toBeGreaterThan(fetches));
    await relay.stop();
    expect([...new Set(outbox.floors.slice(fetches))]).toEqual([1]);
  });
});
