/** A carrier integration with the mistakes that certification finds: it remembers nothing, and ignores `cancel`. */
import { z } from "zod";
import { kafkaConfigShape } from "../../../services/messages/bus/bus-config.ts";
import { outgoing } from "../../../services/messages/bus/outgoing.ts";
import { providerGroup } from "../../../services/messages/bus/topic-rights.ts";
import { openStream } from "../../../services/messages/bus/stream.ts";
import { readEnv } from "../../../services/platform/config.ts";
import { newId } from "../../../services/platform/ids.ts";
import { startConsumer } from "../../../services/platform/kafka/consumer.ts";
import { createLogger } from "../../../services/platform/logger.ts";

const config = readEnv(z.object({ ...kafkaConfigShape, PROVIDER: z.string() }), process.env);
const { PROVIDER: provider } = config;
const DAY_MS = 86_400_000;
const log = createLogger("forgetful", "error");
const { signal } = new AbortController();
const stream = await openStream({ config, service: "forgetful", log, signal });
const { codec, kafka, producer, topicPrefix } = stream;

async function answer(value: Buffer | null): Promise<void> {
  const request = await codec.decode("carriers.requests", value);
  const { request_id, order_id, request_version, kind } = request;
  if (request.provider !== provider || order_id === null) return;
  if (kind !== "submit" && kind !== "supplement") return;
  const common = { provider, order_id, request_version: request_version ?? 0 };
  const foc_at = new Date(Date.now() + 7 * DAY_MS).toISOString();
  const updates = [
    { kind: "acknowledged" as const, raw_status: "RECEIVED" },
    { kind: "date_confirmed" as const, raw_status: "FOC", foc_at },
  ];
  const messages = updates.map((update, step) =>
    outgoing({ codec, topicPrefix }, "carriers.updates", {
      key: order_id,
      messageId: newId(new Date()),
      message: {
        ...common,
        ...update,
        update_id: `${request_id}/${step}`,
        occurred_at: Date.now(),
      },
    }),
  );
  await producer.send(messages);
}

await startConsumer({
  kafka,
  group: topicPrefix + providerGroup(provider),
  handlers: new Map([
    [
      `${topicPrefix}carriers.requests`,
      async (batch) => {
        for (const { value } of batch) await answer(value);
      },
    ],
  ]),
  sessionTimeoutMs: 10_000,
  concurrency: 1,
  log,
  onJoin: () => console.log("joined"),
});
