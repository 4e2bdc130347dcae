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

/** The unsent rows, as far as the relay's statements are concerned. */
class FakeOutbox {
  fetches = 0;
  #unsent: { readonly id: number; readonly topic: string }[] = [];

  add(id: number, topic: string): void {
    this.#unsent.push({ id, topic });
  }

  readonly pool = {
    query: ({ name, values = [] }: QueryConfig) => {
      if (name === "outbox-mark") {
        const [sent] = values as [number[]];
        this.#unsent = this.#unsent.filter(({ id }) => !sent.includes(id));
        return Promise.resolve({ rows: [] });
      }
      if (name === "outbox-horizon") return Promise.resolve({ rows: [] });
      this.fetches += 1;
      const [, underWay, , held] = values as [unknown, number[], unknown, string[]];
      const rows = this.#unsent
        .filter(({ id, topic }) => !underWay.includes(id) && !held.includes(topic))
        .map((row) => ({ ...row, message_id: String(row.id), day: "2026-01-01", headers: {} }))
        .map((row) => ({ ...row, key: null, value: null, sealed_key_id: null }));
      return Promise.resolve({ rows });
    },
  } as unknown as Pool;
}

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
        const type = "UNKNOWN_TOPIC_OR_PARTITION";
        const cause = new kafkajs.KafkaJSProtocolError(
          Object.assign(new Error(type), { type, code: 3 }),
        );
        throw new AppError("broker_unavailable", "refused", { retryable: true, cause });
      }
      accepted.push(...ids);
      return messages.map((_, offset) => ({ partition: 0, offset }));
    },
    stop: () => Promise.resolve(),
  };
  return { producer, accepted, asked, refuse };
}

describe("the relay", () => {
  it("sends no row of a refused topic that it fetched before the refusal: an earlier one waits", async () => {
    const outbox = new FakeOutbox();
    const { producer, accepted, asked, refuse } = openBroker();
    const wakeUp = new WakeUp();
    const relay = new Relay({
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
});
