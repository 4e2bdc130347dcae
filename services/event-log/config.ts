import { z } from "zod";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { readEnv } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DATABASE_ROLE: databaseRole("porting_event_log"),
});

export type EventLogConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): EventLogConfig {
  return readEnv(schema, env);
}
