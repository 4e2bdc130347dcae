import { z } from "zod";
import { providerNamesIn, carriersShape } from "../../services/domain/carrier/read-carriers.ts";
import { retrySchedule } from "../../services/messages/retry-schedule.ts";
import { readEnv } from "../../services/platform/config.ts";
import type { RightsOptions } from "../topics/plan-rights.ts";

const schema = z.object({
  TOPIC_PREFIX: z.string().default(""),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule(),
  ...carriersShape,
});

/** What Kafka's rights depend on. @throws `invalid_config` with every problem at once */
export function readConfig(env: NodeJS.ProcessEnv): RightsOptions {
  const config = readEnv(schema, env);
  return {
    prefix: config.TOPIC_PREFIX,
    retrySchedule: config.WEBHOOK_RETRY_SCHEDULE.map(({ name }) => name).join(","),
    providers: providerNamesIn(config.CARRIERS_DIR),
  };
}
