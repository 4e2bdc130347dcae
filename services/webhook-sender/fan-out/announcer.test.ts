import { describe, expect, it } from "@jest/globals";
import type { Bus } from "../../messages/bus/bus.ts";
import { createLogger } from "../../platform/logger.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";
import { OwnQueues } from "../queue/own-queues.ts";
import type { DueLine } from "../queue/priority.ts";
import { Announcer } from "./announcer.ts";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `d${n}`);

/** An announcer of a process that consumes the messages of one queue, with what it sends and offers. */
function setUp(send = () => Promise.resolve()) {
  const sent: { readonly key: string; readonly ids: number; readonly messageId: string }[] = [];
  const offered: (readonly [DueLine, readonly string[]])[] = [];
  const ownQueues = new OwnQueues();
  ownQueues.learn("own");
  const bus = {
    clock: { now: () => NOW },
    log: createLogger("test", "silent"),
    topicPrefix: "",
    codec: {
      encode: (_topic: string, { delivery_ids }: { readonly delivery_ids: readonly string[] }) =>
        Buffer.from(String(delivery_ids.length)),
    },
    producer: {
      send: async (messages: readonly OutgoingMessage[]) => {
        await send();
        for (const { key, value, messageId } of messages) {
          sent.push({ key: String(key), ids: Number(String(value)), messageId });
        }
      },
    },
  } as unknown as Bus;
  const scheduler = {
    offer: (line: DueLine, deliveryIds: readonly string[]) =>
      void offered.push([line, deliveryIds]),
  };
  return { announcer: new Announcer(bus, { scheduler, ownQueues }), ownQueues, sent, offered };
}

describe("new deliveries", () => {
  it("to another process's queue are published at once, a hundred to a message", async () => {
    const { announcer, ownQueues, sent, offered } = setUp();
    announcer.announce([{ endpoint_key: "other", delivery_ids: ids(201) }], []);
    await Promise.resolve();
    expect(sent.map(({ key, ids: count }) => [key, count])).toEqual([
      ["other", 100],
      ["other", 100],
      ["other", 1],
    ]);
    expect(offered).toEqual([]);
    expect(sent.some(({ messageId }) => ownQueues.isKnown(messageId))).toBe(false);
  });

  it("to a queue of this process are offered at once, and published later as known", async () => {
    const { announcer, ownQueues, sent, offered } = setUp();
    announcer.announce([{ endpoint_key: "own", delivery_ids: ["d1"] }], []);
    announcer.announce([{ endpoint_key: "own", delivery_ids: ["d2"] }], []);
    const line = { endpoint_key: "own", priority: 0 };
    expect(offered).toEqual([
      [line, ["d1"]],
      [line, ["d2"]],
    ]);
    expect(sent).toEqual([]);
    await announcer.drain();
    expect(sent).toMatchObject([{ key: "own", ids: 2 }]);
    expect(ownQueues.isKnown(sent[0]?.messageId ?? "")).toBe(true);
  });

  it("that are attempted here already are published alone", async () => {
    const { announcer, sent, offered } = setUp();
    announcer.announce([], [{ endpoint_key: "other", delivery_ids: ["d1"] }]);
    await announcer.drain();
    expect(offered).toEqual([]);
    expect(sent).toMatchObject([{ key: "other", ids: 1 }]);
  });

  it("whose message is lost are left to the sweep", async () => {
    const { announcer } = setUp(() => Promise.reject(new Error("no leader")));
    announcer.announce([{ endpoint_key: "other", delivery_ids: ["d1"] }], []);
    await expect(announcer.drain()).resolves.toBeUndefined();
  });
});
