import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { readStoredHealth } from "./store/stored-health.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { isRetryTopic } from "../../messages/topic-names.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { fetchGroupLags, type GroupLag } from "../../platform/kafka/group-lags.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";

const BROKER_MS = 5_000;
/** Groups without committed offsets: the sandbox carrier reads its topics from the start whenever it joins. */
const KEEPS_NO_OFFSETS = ["sandbox-carrier"];
const topic = z.string().meta({ examples: ["porting.review-results"] });
const healthAnswer = z.object({
  consumer_groups: z
    .array(
      z.object({
        group: z.string().meta({ examples: ["order-lifecycle"] }),
        lag: z.int(),
        topics: z.array(z.object({ topic, lag: z.int() })),
      }),
    )
    .nullable(),
  outbox: z.object({ depth: z.int(), oldest_age_seconds: z.number() }),
  retry_tiers: z.array(z.object({ topic, depth: z.int() })).nullable(),
  oldest_undelivered_webhook: z
    .object({ delivery_id: idText(), created_at: timeText() })
    .nullable(),
  dead_letters: z.int(),
  providers: z.array(
    z.object({
      provider: z.string().meta({ examples: ["sandbox"] }),
      last_word_at: timeText(),
      porting_order_id: idText().nullable(),
    }),
  ),
});

/** `/desk/v1/health`: lags, depths and oldest items, for an operator to see what is stuck. */
export function healthRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/health", "Read queue depths, lags and the last update of each provider", {
      answers: { 200: healthAnswer },
      handle: async () => {
        const [stored, lags] = await Promise.all([readStoredHealth(bus.pool), lagsOrNull(bus)]);
        const now = bus.clock.now().getTime();
        return ok({
          consumer_groups: lags === null ? null : byGroup(bus, lags),
          outbox: {
            depth: stored?.outbox_depth ?? 0,
            oldest_age_seconds: ageSeconds(stored?.outbox_oldest_at ?? null, now),
          },
          retry_tiers: lags === null ? null : tiersOf(bus, lags),
          oldest_undelivered_webhook: withInstant(stored?.oldest_delivery ?? null),
          dead_letters: stored?.dead_letters ?? 0,
          providers: (stored?.providers ?? []).map((one) => ({
            ...one,
            last_word_at: instant(one.last_word_at),
          })),
        });
      },
    }),
  ];
}

/** Null where the broker does not answer in time: the rest of the answer is needed most then. */
async function lagsOrNull(bus: Bus): Promise<readonly GroupLag[] | null> {
  const given = new AbortController();
  const late = wait(BROKER_MS, null, { signal: given.signal }).catch(() => null);
  const without = KEEPS_NO_OFFSETS.map((group) => bus.topicPrefix + group);
  const fetched = fetchGroupLags(bus.kafka, bus.topicPrefix, without).catch((error: unknown) => {
    bus.log.warn({ err: error }, "the broker did not report its consumers' lag");
    return null;
  });
  const lags = await Promise.race([fetched, late]);
  given.abort();
  return lags;
}

function byGroup({ topicPrefix }: Bus, lags: readonly GroupLag[]) {
  const names = [...new Set(lags.map(({ group }) => group))].sort();
  return names.map((name) => {
    const own = lags.filter(({ group }) => group === name);
    return {
      group: name.slice(topicPrefix.length),
      lag: own.reduce((sum, { messages }) => sum + messages, 0),
      topics: own.map(({ topic, messages }) => ({
        topic: topic.slice(topicPrefix.length),
        lag: messages,
      })),
    };
  });
}

function tiersOf({ topicPrefix }: Bus, lags: readonly GroupLag[]) {
  return lags
    .map(({ topic, messages }) => ({ topic: topic.slice(topicPrefix.length), depth: messages }))
    .filter(({ topic }) => isRetryTopic(topic))
    .sort((a, b) => a.topic.localeCompare(b.topic));
}

function ageSeconds(since: string | null, now: number): number {
  return since === null ? 0 : Math.max(0, (now - Date.parse(since)) / 1_000);
}

function instant(text: string): string {
  return new Date(text).toISOString();
}

function withInstant(
  delivery: { readonly delivery_id: string; readonly created_at: string } | null,
) {
  return delivery === null ? null : { ...delivery, created_at: instant(delivery.created_at) };
}
