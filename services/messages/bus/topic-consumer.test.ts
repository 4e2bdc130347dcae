import { describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { onceEach } from "./topic-consumer.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const position = { topic: "orders", partition: 0, nextOffset: 8 };
const message = buildRawMessage({ topic: "orders", offset: 7 });

describe("onceEach", () => {
  it("leaves connections to other partitions when it tries again what waited for a lock", async () => {
    let tries = 0;
    let apart = 0;
    const query = () => Promise.resolve({ rows: [{ message_id: message.messageId }] });
    const client = { query, release: () => undefined };
    const bus = {
      pool: { connect: () => Promise.resolve(client) } as unknown as Pool,
      apart: (work: () => Promise<void>) => {
        apart += 1;
        return work();
      },
    };
    const { apply } = onceEach<string>(bus, "planted", () => {
      tries += 1;
      if (tries > 1) return Promise.resolve();
      return Promise.reject(Object.assign(new Error("a lock"), { code: "55P03" }));
    });
    const batch = [[{ message: "", raw: message }], position] as const;
    await expect(apply(...batch)).rejects.toMatchObject({ retryable: true });
    expect([tries, apart]).toEqual([1, 0]);
    await apply(...batch);
    expect([tries, apart]).toEqual([2, 1]);
    await apply(...batch);
    expect([tries, apart]).toEqual([3, 1]);
  });
});
