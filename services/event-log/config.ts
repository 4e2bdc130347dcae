import { z } from "zod";
import { busConfigShape, healthPortShape } from "../messages/bus-config.ts";
import { readEnv } from "../platform/config.ts";

const schema = z.object({ ...busConfigShape, ...healthPortShape });

export type EventLogConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): EventLogConfig {
  return readEnv(schema, env);
}
