import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { describeBus } from "../../services/api/asyncapi/describe-bus.ts";
import { CONSUMERS } from "../../services/messages/bus/consumers.ts";
import { groupsOf, SERVICE_USERS, topicRights } from "../../services/messages/bus/topic-rights.ts";
import { DEFAULT_RETRY_SCHEDULE } from "../../services/messages/retry-schedule.ts";
import { SERVICE_NAMES } from "../start/supervisor/service-table.ts";
import { describeRight, planRights, planWithdrawals } from "./ensure-rights.ts";

const options = { prefix: "p.", retrySchedule: "1m,5m", providers: ["us-lsr"] };
const rights = planRights(options);
const linesOf = (user: string) => rights.filter((one) => one.user === user).map(describeRight);

describe("planRights", () => {
  it("lets a provider read requests and receipts, and write what carriers publish", () => {
    expect(linesOf("provider-us-lsr")).toEqual([
      "provider-us-lsr: read topic p.carriers.requests",
      "provider-us-lsr: write topic p.carriers.updates",
      "provider-us-lsr: write topic p.carriers.port-outs",
      "provider-us-lsr: write topic p.carriers.calls",
      "provider-us-lsr: read topic p.carriers.receipts",
      "provider-us-lsr: idempotent write cluster kafka-cluster",
      ...["", "-1", "-2", "-3", "-4", "-console"].map(
        (ending) => `provider-us-lsr: read group p.us-lsr-integration${ending}`,
      ),
    ]);
  });

  it("lets a service that writes to the outbox alone only compare positions", () => {
    const look = ["topic p.porting.*", "topic p.carriers.*", "group p.*"];
    expect(linesOf("api")).toEqual(look.map((what) => `api: describe ${what}`));
  });

  it("stays within the deployment's prefix", () => {
    const names = rights.filter(({ resource }) => resource !== "cluster").map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith("p."))).toEqual([]);
    const whole = planRights({ ...options, prefix: "" }).filter(({ name }) => name === "*");
    expect(whole.every(({ operation, isPrefix }) => operation === "describe" && !isPrefix)).toBe(
      true,
    );
  });

  // One login's groups without end had filled the broker.
  it("lets nobody write or read by the beginning of a topic's or a group's name", () => {
    const open = rights.filter(({ isPrefix }) => isPrefix);
    expect([...new Set(open.map(({ operation }) => operation))]).toEqual(["describe"]);
  });

  it("takes back what let a provider have every group that begins with its own", () => {
    expect(planWithdrawals(options).map(describeRight)).toEqual([
      "provider-us-lsr: read group p.us-lsr-integration*",
    ]);
  });

  it("has a user for each service, and a reader for each consumer", () => {
    expect([...SERVICE_USERS].sort()).toEqual([...SERVICE_NAMES].sort());
    const table = topicRights([]);
    const groups = groupsOf([]);
    for (const [topic, consumers] of Object.entries(CONSUMERS)) {
      for (const { consumer } of consumers) {
        const user = SERVICE_USERS.find((one) => groups.get(one)?.includes(consumer));
        expect([topic, table.get(topic)?.read]).toEqual([topic, expect.arrayContaining([user])]);
      }
    }
  });

  // Every service may write to the outbox, so that a topic the relay may not write to would wait there for ever.
  it("lets outbox-relay write to every topic that messages go to by the outbox", () => {
    const closed = [...topicRights([])].filter(([, { write }]) => !write.includes("outbox-relay"));
    expect(closed).toEqual([]);
  });

  it("is described by the operations of the AsyncAPI document, each right by one", () => {
    const onTopics = planRights({
      prefix: "p.",
      retrySchedule: DEFAULT_RETRY_SCHEDULE,
      providers: ["<provider>"],
    }).filter(({ resource, operation }) => resource === "topic" && operation !== "describe");
    expect(describedRights().sort()).toEqual(onTopics.map(describeRight).sort());
  });
});

const describedShape = z.looseObject({
  channels: z.record(
    z.string(),
    z.looseObject({
      address: z.string(),
      parameters: z.record(z.string(), z.object({ examples: z.array(z.string()) })).default({}),
    }),
  ),
  operations: z.record(
    z.string(),
    z.looseObject({
      action: z.enum(["send", "receive"]),
      channel: z.object({ $ref: z.string() }),
      "x-kafka-user": z.string(),
    }),
  ),
});

/** A line per operation and topic; an operation on a channel with a parameter is one on several topics. */
function describedRights(): string[] {
  const document = describedShape.parse(
    JSON.parse(JSON.stringify(describeBus({ topicPrefix: "p." }))),
  );
  return Object.values(document.operations).flatMap((operation) => {
    const channel = document.channels[operation.channel.$ref.replace("#/channels/", "")];
    const does = operation.action === "send" ? "write" : "read";
    const [parameter, { examples }] = Object.entries(channel?.parameters ?? {})[0] ?? [
      "",
      { examples: [""] },
    ];
    const topics = examples.map((one) => channel?.address.replace(`{${parameter}}`, one) ?? "");
    return topics.map((topic) => `${operation["x-kafka-user"]}: ${does} topic ${topic}`);
  });
}
