import { z } from "zod";
import { busConfigShape, healthPortShape } from "../messages/bus-config.ts";
import { list, port, readEnv, url } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  SECRETS_KEY: list(),
  API_PORT: port(3000),
  PUBLIC_API_URL: url().optional(),
});

export type CarrierAdapterConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): CarrierAdapterConfig {
  return readEnv(schema, env);
}
