import { z } from "zod";
import { busConfigShape, healthPortShape } from "../messages/bus-config.ts";
import { durationMs, readEnv } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DEADLINE_POLL: durationMs("500ms"),
});

export type OrderLifecycleConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): OrderLifecycleConfig {
  return readEnv(schema, env);
}
