import { describe, expect, it } from "@jest/globals";
import type { QueryConfig } from "pg";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";
import type { Received } from "../../platform/kafka/handle-batch.ts";
import type { Bus } from "./bus.ts";
import { onceTogether, togetherByOwnId } from "./once-together.ts";

const [ONE, TWO] = ["0197a1b2-0000-7000-8000-000000000001", "0197a1b2-0000-7000-8000-000000000002"];

const received = (message: string, messageId: string): Received<string> => ({
  message,
  raw: buildRawMessage({ messageId }),
});
const position = (partition: number) => ({ topic: "things", partition, nextOffset: 9 });

/** What is handled, and what was locked before it, of a consumer that has handled the ids before. */
function setUp(together: typeof onceTogether, ...handledBefore: string[]) {
  const inbox = new Set(handledBefore);
  const query = (statement: QueryConfig | string) => {
    if (typeof statement === "string" || statement.name !== "inbox-claim-several") {
      return Promise.resolve({ rows: [] });
    }
    const ids = new Set(statement.values?.[2] as string[]);
    const rows = [...ids].filter((id) => !inbox.has(id)).map((message_id) => ({ message_id }));
    ids.forEach((id) => inbox.add(id));
    return Promise.resolve({ rows });
  };
  const bus = {
    pool: { connect: () => Promise.resolve({ query, release: () => undefined }) },
    apart: <T>(work: () => Promise<T>) => work(),
    tracing: null,
  } as unknown as Bus;
  const handled: string[] = [];
  const locked: (readonly string[])[] = [];
  const { apply } = together<string, null>(bus, "consumer", {
    lock: (_tx, messages) => {
      locked.push(messages);
      return Promise.resolve(null);
    },
    handle: (_round, { message }) => {
      handled.push(message);
      return Promise.resolve();
    },
  });
  return { apply, handled, locked };
}

describe("messages that share a transaction", () => {
  it("are each handled once, the first of those with one id, whichever partition brings it", async () => {
    const { apply, handled, locked } = setUp(onceTogether);
    await Promise.all([
      apply([received("first", ONE), received("again", ONE)], position(0)),
      apply([received("other", TWO), received("elsewhere", ONE)], position(1)),
    ]);
    expect(handled).toEqual(["first", "other"]);
    expect(locked).toEqual([["first", "other"]]);
  });

  it("are not handled, and nothing is locked for them, where the consumer has handled them before", async () => {
    const { apply, handled, locked } = setUp(onceTogether, ONE);
    await apply([received("again", ONE)], position(0));
    expect([handled, locked]).toEqual([[], []]);
    await apply([received("again", ONE), received("new", TWO)], position(0));
    expect([handled, locked]).toEqual([["new"], [["new"]]]);
  });

  it("are all handled by a handler that detects repeats itself", async () => {
    const { apply, handled } = setUp(togetherByOwnId, ONE);
    await apply([received("first", ONE), received("again", ONE)], position(0));
    expect(handled).toEqual(["first", "again"]);
  });
});
