import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";
import { HEALTH_STATUSES } from "./rules/health-thresholds.ts";

const topic = z.string().meta({
  description: "The topic, without the deployment's prefix",
  examples: ["porting.review-results"],
});
const status = z
  .enum(HEALTH_STATUSES)
  .describe("`stuck` needs somebody to look at it; `slow` may pass by itself");

/** One sample a minute. */
export const healthPoint = z
  .object({
    at: timeText("The minute of the sample"),
    value: z.number().describe("The measure then, in its own unit: messages, timers or seconds"),
  })
  .meta({ id: "HealthPoint", description: "A measure at one minute" });

function lastHour(what: string) {
  return z
    .array(healthPoint)
    .describe(`${what}, one sample a minute, oldest first; at most 60`)
    .meta({ examples: [[{ at: "2026-03-02T09:00:00.000Z", value: 0 }]] });
}

export const groupHealth = z
  .object({
    group: z.string().meta({
      description: "The group, without the deployment's prefix",
      examples: ["order-lifecycle"],
    }),
    lag: z.int().describe("Messages that it has yet to handle, over all topics"),
    members: z
      .int()
      .describe(
        "Readers of the group: none where its service is down or hangs, which is `stuck` if anything is left to read",
      ),
    topics: z
      .array(z.object({ topic, lag: z.int().describe("Messages of it that it has yet to handle") }))
      .describe("Its lag by topic"),
    status,
    last_hour: lastHour("Its lag"),
  })
  .meta({ id: "GroupHealth", description: "How far a consumer group is behind its topics" });

export const stuckPartition = z
  .object({
    consumer: z
      .string()
      .meta({ examples: ["carrier-adapter"] })
      .describe("Whose readers they are"),
    topic,
    partition: z.int().describe("The partition of that topic"),
    offset: z
      .int()
      .nullable()
      .describe(
        "The offset of the message that is handled, or waits; null where it is not known yet",
      ),
    reason: z
      .enum(["readers_ended", "unknown_schema"])
      .describe(
        "`readers_ended`: readers died or hung while they handled it, the third of which dead-letters the message. `unknown_schema`: the registry lacks the schema of a message of ours, which waits until it has it",
      ),
    since: timeText("When the first reader began with it"),
    status,
  })
  .meta({
    id: "StuckPartition",
    description: "A partition that its consumer does not get on with",
  });

export const outboxHealth = z
  .object({
    depth: z.int().describe("Messages that have yet to be published; counted up to 100,000"),
    oldest_age_seconds: z.number().describe("For how long the oldest of them has waited"),
    log_bytes: z
      .int()
      .describe(
        "How much of the database's log has yet to be read for them; it is kept until then",
      ),
    status,
    last_hour: lastHour("The depth"),
    oldest_age_last_hour: lastHour("The age of the oldest, in seconds"),
  })
  .meta({ id: "OutboxHealth", description: "What the outbox has yet to publish" });

export const retryTierHealth = z
  .object({
    topic: z.string().meta({
      description: "The delay topic of the tier, without the deployment's prefix",
      examples: ["porting.webhook-retry.1m"],
    }),
    depth: z.int().describe("Retry timers that have yet to fire"),
    status,
    last_hour: lastHour("The depth"),
  })
  .meta({ id: "RetryTierHealth", description: "The webhook retries that wait in one step" });

export const oldestDelivery = z
  .object({
    delivery_id: idText("The delivery's id"),
    account: accountReference,
    url: z.string().meta({
      description: "Where it is to be sent",
      examples: ["https://acme.example/hooks"],
    }),
    created_at: timeText("When the delivery was made"),
  })
  .meta({ id: "OldestDelivery", description: "The delivery that has waited longest" });

export const undeliveredHealth = z
  .object({
    delivery: oldestDelivery.nullable().describe("The oldest delivery that waits; null for none"),
    age_seconds: z.number().describe("Its age; 0 where none waits"),
    status,
    last_hour: lastHour("The age of the oldest, in seconds"),
  })
  .meta({ id: "UndeliveredHealth", description: "How long the oldest webhook has waited" });

export const providerHealth = z
  .object({
    provider: z.string().meta({ description: "The provider's name", examples: ["sandbox"] }),
    last_word_at: timeText("When its last status update came").nullable(),
    porting_order_id: idText("The order of that update").nullable(),
    silent_seconds: z
      .number()
      .describe("For how long it has said nothing while an order waits to be acknowledged; else 0"),
    status,
    last_hour: lastHour("The silence, in seconds"),
  })
  .meta({ id: "ProviderHealth", description: "Whether a provider still answers" });

export const healthAnswer = z
  .object({
    status: status.describe(
      "The worst status below; at least `slow` while dead letters are parked, or webhook endpoints fail",
    ),
    consumer_groups: z
      .array(groupHealth)
      .nullable()
      .describe("Of our own services; null where the broker does not answer in time"),
    stuck_partitions: z
      .array(stuckPartition)
      .describe("Of our own services, the longest first; at most 100"),
    outbox: outboxHealth,
    retry_tiers: z
      .array(retryTierHealth)
      .nullable()
      .describe("Null where the broker does not answer in time"),
    oldest_undelivered_webhook: undeliveredHealth,
    failing_endpoints: z
      .int()
      .describe(
        "Webhook endpoints that are sent to and whose last attempt failed; counted up to 1,000",
      ),
    dead_letters: z.int().describe("Dead letters that are parked; counted up to 100,000"),
    providers: z
      .array(providerHealth)
      .describe("Every provider with a file, and those of which there were updates"),
  })
  .meta({ id: "Health", description: "What is slow or stuck, now and in the last hour" });

export type HealthAnswer = z.output<typeof healthAnswer>;
export type HealthPoint = z.output<typeof healthPoint>;
