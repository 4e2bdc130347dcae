import { z } from "zod";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { list, readEnv, url } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DATABASE_ROLE: databaseRole("porting_carrier_adapter"),
  SECRETS_KEY: list(),
  ...carriersShape,
  /** Base URL of the links by which carriers fetch documents. */
  PUBLIC_API_URL: url().default("http://localhost:3000"),
});

export type CarrierAdapterConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): CarrierAdapterConfig {
  return readEnv(schema, env);
}
