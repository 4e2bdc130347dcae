import { z } from "zod";
import { carriersShape } from "../../services/domain/carrier/read-carriers.ts";
import { retrySchedule } from "../../services/messages/retry-schedule.ts";
import { readEnv } from "../../services/platform/config.ts";

const broker = z
  .string()
  .regex(/^[^:,]+:\d+$/, "expected one broker, host:port")
  .transform((text) => {
    const [host = "", port] = text.split(":");
    return { host, port: Number(port) };
  });

const schema = z.object({
  KAFKA_BROKERS: broker,
  TOPIC_PREFIX: z.string().default(""),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule(),
  ...carriersShape,
});

/** The variables that the job reads beside the passwords. */
export const accessVariables: readonly string[] = Object.keys(schema.shape);

/** @throws `invalid_config` with every problem at once */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = readEnv(schema, env);
  return {
    broker: config.KAFKA_BROKERS,
    prefix: config.TOPIC_PREFIX,
    retrySchedule: config.WEBHOOK_RETRY_SCHEDULE.map(({ name }) => name).join(","),
    carriersDir: config.CARRIERS_DIR,
  };
}
