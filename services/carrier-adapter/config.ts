import { z } from "zod";
import { busConfigShape, healthPortShape } from "../messages/bus-config.ts";
import { readEnv } from "../platform/config.ts";

const schema = z.object({ ...busConfigShape, ...healthPortShape });

export type CarrierAdapterConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): CarrierAdapterConfig {
  return readEnv(schema, env);
}
