import { describe, expect, it } from "@jest/globals";
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

/** The unsent rows, as far as the relay's statements are concerned. No transaction stays open. */
class FakeOutbox {
  fetches = 0;
  /** The highest id that a fetch began above. */
  highestFloor = 0;
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
      const [, underWay, , held, above] = values as [unknown, number[], unknown, string[], number];
      const wanted = this.#unsent.filter(
        ({ id, topic }) => !underWay.includes(id) && !held.includes(topic),
      );
      this.highestFloor = Math.max(this.highestFloor, above);
      this.skipped.push(...wanted.filter(({ id }) => id <= above).map(({ id }) => id));
      const rows = wanted
        .filter(({ id }) => id > above)
        .map((row) => ({ ...row, message_id: String(row.id), day: "2026-01-01", headers: {} }))
        .map((row) => ({ ...row, key: null, value: null, sealed_key_id: null }));
      return Promise.resolve({ rows });
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

function startRelay(outbox: FakeOutbox, producer: Producer, wakeUp: WakeUp): Relay {
  return new Relay({
    pool: outbox.pool,
    producer,
    trialProducer: producer,
    seal: createMessageSeal(null, () => false),
    locks: { session: 1, holds: () => true },
    wakeUp,
    pollMs: 5,
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
    const relay = startRelay(outbox, producer, wakeUp);
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
    const relay = startRelay(outbox, producer, wakeUp);
    let last = 2;
    await eventually(async () => {
      last += 1;
      outbox.add(last, "other");
      wakeUp.call();
      await eventually(() => expect(accepted).toContain(String(last)));
      expect(outbox.highestFloor).toBeGreaterThanOrEqual(2);
    });
    await relay.stop();
    expect(outbox.skipped).toEqual([]);
    expect(accepted).toEqual(Array.from({ length: last - 2 }, (_, n) => String(n + 3)));
  });
});
