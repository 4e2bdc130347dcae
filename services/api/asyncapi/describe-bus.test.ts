import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { readSchemas } from "../../messages/generate/generate-types.ts";
import { EVENT_TYPES } from "../../messages/events.ts";
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from "../../messages/retry-schedule.ts";
import { topicRights } from "../../messages/bus/topic-rights.ts";
import { planTopics } from "../../messages/topic-plan.ts";
import { SECRET_TOPICS, TOPICS } from "../../messages/topics.ts";
import { describeBus } from "./describe-bus.ts";
import { DEAD_LETTER_TEXT, TOPIC_TEXTS } from "./describe-channels.ts";

const PREFIX = "p1.";

const channelShape = z.looseObject({
  address: z.string(),
  description: z.string(),
  messages: z.record(z.string(), z.object({ $ref: z.string() })),
  parameters: z.record(z.string(), z.object({ examples: z.array(z.string()) })).default({}),
  tags: z.array(z.object({ name: z.string() })),
  bindings: z.object({
    kafka: z.looseObject({
      partitions: z.int(),
      topicConfiguration: z.record(z.string(), z.unknown()),
    }),
  }),
  "x-internal": z.boolean(),
});
const documentShape = z.looseObject({
  channels: z.record(z.string(), channelShape),
  components: z.looseObject({
    messages: z.record(
      z.string(),
      z.looseObject({
        payload: z.object({ schema: z.unknown() }).optional(),
        headers: z.object({ $ref: z.string() }),
      }),
    ),
    schemas: z.record(z.string(), z.looseObject({ required: z.array(z.string()) })),
  }),
});
type Channel = z.output<typeof channelShape>;

/** The document as a client receives it. */
const document = documentShape.parse(
  JSON.parse(JSON.stringify(describeBus({ topicPrefix: PREFIX }))),
);

/** The topics of a channel for the default schedule, with the prefix. */
function topicsOf({ address, parameters }: Channel): string[] {
  return Object.entries(parameters).reduce(
    (names, [name, { examples }]) =>
      names.flatMap((one) => examples.map((value) => one.replace(`{${name}}`, value))),
    [address],
  );
}

const channels = Object.values(document.channels);

describe("the AsyncAPI document", () => {
  it("has every topic that is made at deployment, with its settings", () => {
    const planned = planTopics({
      prefix: PREFIX,
      replication: 1,
      retrySchedule: DEFAULT_RETRY_SCHEDULE,
      eventsRetentionMs: null,
    });
    const told = channels.flatMap((channel) =>
      topicsOf(channel).map((name) => {
        const { partitions, topicConfiguration } = channel.bindings.kafka;
        const settings = Object.entries(topicConfiguration).map(([k, v]) => [k, String(v)]);
        return { name, partitions, settings: Object.fromEntries(settings) as unknown };
      }),
    );
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const made = planned.topics.map(({ name, partitions, settings }) => {
      return { name, partitions, settings };
    });
    expect(told.sort(byName)).toEqual(made.sort(byName));
  });

  it("has the schema of every file in schemas/, each as a payload", () => {
    const payloads = Object.values(document.components.messages).flatMap(({ payload }) =>
      payload === undefined ? [] : [payload.schema],
    );
    expect(payloads).toHaveLength(readSchemas(process.cwd()).size);
    expect(payloads).toEqual(expect.arrayContaining([...readSchemas(process.cwd()).values()]));
  });

  it("marks what is not for integrations or analysts as internal", () => {
    const open = Object.entries(document.channels).filter(([, channel]) => !channel["x-internal"]);
    expect(open.map(([id, { tags }]) => [id, tags.map(({ name }) => name)])).toEqual([
      ["porting.events", ["analysts"]],
      ["carriers.requests", ["integrations"]],
      ["carriers.updates", ["integrations"]],
      ["carriers.port-outs", ["integrations"]],
      ["carriers.calls", ["integrations"]],
      ["carriers.receipts", ["integrations"]],
    ]);
  });

  it("leaves every header to integrations that publish, and says which the services set", () => {
    const rights = topicRights(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE));
    const { messages, schemas } = document.components;
    const requiredOn = (channel: Channel | undefined): string[] | undefined => {
      const [message = ""] = Object.keys(channel?.messages ?? {});
      return schemas[messages[message]?.headers.$ref.split("/").at(-1) ?? ""]?.required;
    };
    const published = Object.entries(document.channels).filter(([id]) =>
      rights.get(id)?.write.includes("providers"),
    );
    expect(published.map(([id, channel]) => [id, requiredOn(channel)])).toEqual([
      ["carriers.updates", []],
      ["carriers.port-outs", []],
      ["carriers.calls", []],
    ]);
    const traced = ["message-id", "traceparent"];
    expect(requiredOn(document.channels["carriers.requests"])).toEqual([...traced, "provider"]);
    expect(requiredOn(document.channels["carriers.receipts"])).toEqual(traced);
    expect(requiredOn(document.channels["porting.events"])).toEqual(traced);
  });

  it("warns where a topic carries secrets", () => {
    const warned = Object.entries(TOPIC_TEXTS).filter(([, { carries }]) => carries.includes("PIN"));
    expect(warned.map(([topic]) => topic)).toEqual([...SECRET_TOPICS]);
  });

  it("names every event type", () => {
    const types = z.array(z.object({ type: z.string(), symbol: z.string() }));
    const named = types.parse(document.components.messages["PortingEvent"]?.["x-event-types"]);
    expect(named.map(({ type }) => type)).toEqual(EVENT_TYPES);
  });
});

/** The contract's row of a topic (docs/contract/messages.md, Topics and messages: the contract of the bus). */
function contractRow(topic: string): string | undefined {
  const contract = readFileSync(join(process.cwd(), "docs/contract/messages.md"), "utf8");
  const row = contract.split("\n").find((line) => line.startsWith(`| \`${topic}\` |`));
  return row?.split("|")[2]?.replaceAll("**", "").trim();
}

describe("the texts on topics", () => {
  it.each(Object.keys(TOPICS))("say of %s what the contract says on whose it is", (topic) => {
    const { from, to } = new Map(Object.entries(TOPIC_TEXTS)).get(topic) ?? DEAD_LETTER_TEXT;
    expect(contractRow(topic)).toMatch(new RegExp(`^${literally(`${from} → ${to}`)}`));
  });

  it("name the relay wherever it writes beside a service", () => {
    const shared = [...topicRights([])].filter(
      ([topic, { write }]) =>
        topic.startsWith("porting.") && write.length > 1 && write.includes("outbox-relay"),
    );
    expect(shared.map(([topic]) => topic)).toEqual(["porting.events"]);
    for (const [topic] of shared) expect(contractRow(topic)).toMatch(/outbox relay.*→/);
  });
});

function literally(fragment: string): string {
  return fragment.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
