import { describe, expect, it } from "@jest/globals";
import type { FeedEvent } from "../../domain/event/store/feed.ts";
import { eventLine } from "./event-lines.ts";
import { verifyExport, type Sources } from "./verify-export.ts";

const EVENTS = [1, 2, 3, 4].map((seq): FeedEvent => {
  const id = `01a19b7c-a687-7195-84b0-00000000000${seq}`;
  return { seq, id, order_id: null, body: Buffer.from(`{"id":"${id}","n":${seq}}`) };
});

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

interface Case {
  readonly exported?: readonly FeedEvent[];
  readonly log?: readonly FeedEvent[];
  readonly topic?: readonly FeedEvent[];
  readonly logged?: readonly FeedEvent[];
  readonly topicIsWhole?: boolean;
}

function verify({ exported = EVENTS, log = EVENTS, topic = EVENTS, ...rest }: Case) {
  const sources: Sources = {
    log: each([log.slice(0, 2), log.slice(2)]),
    readTopic: (onEvent) => {
      topic.forEach(onEvent);
      return Promise.resolve();
    },
    isLogged: (id) => Promise.resolve((rest.logged ?? []).some((event) => event.id === id)),
    topicIsWhole: rest.topicIsWhole ?? true,
  };
  return verifyExport(each(exported.map(eventLine)), sources);
}

const other = (n: number): FeedEvent[] =>
  EVENTS.map((event, at) => (at === n ? { ...event, body: Buffer.from("{}") } : event));
const without = (n: number): FeedEvent[] => EVENTS.filter((_, at) => at !== n);

describe("verifyExport", () => {
  it("accepts matching sources, however often the topic repeats an event", async () => {
    expect(await verify({ topic: [...EVENTS].reverse().concat(EVENTS) })).toEqual({
      events: 4,
      newer: 0,
      repeats: 4,
    });
  });

  it("accepts events newer than the export, and those that arrive during the check", async () => {
    expect(await verify({ exported: EVENTS.slice(0, 3) })).toMatchObject({ events: 3, newer: 1 });
    const late = { exported: EVENTS.slice(0, 3), log: EVENTS.slice(0, 3), logged: EVENTS };
    expect(await verify(late)).toMatchObject({ events: 3, newer: 0 });
  });

  it("does not require every event of a topic whose first records have expired", async () => {
    expect(await verify({ topic: without(0), topicIsWhole: false })).toMatchObject({ events: 4 });
  });

  it.each<[string, Case, RegExp]>([
    ["an event that the export lacks", { exported: without(1) }, /^seq 2: the export lacks event/],
    ["other bytes in the export", { exported: other(2) }, /^seq 3: .* lacks event .*3$/],
    ["an extra line", { log: EVENTS.slice(0, 3), topic: EVENTS.slice(0, 3) }, /^line 4: /],
    ["other bytes on the topic", { topic: other(3) }, /0004 differs between the topic and the log/],
    [
      "an event that the topic lacks",
      { topic: without(0) },
      /0001 is in the log, not on the topic/,
    ],
    [
      "an event that the log lacks",
      { exported: without(3), log: without(3) },
      /0004 is on the topic, not in the log/,
    ],
  ])("names %s", async (_, changed, difference) => {
    expect(await verify(changed)).toEqual({
      difference: expect.stringMatching(difference) as unknown,
    });
  });
});
