import { z } from "zod";
import { readEnv, url } from "../config.ts";

/** Where the schema registry is, and how a client proves who it is; the file is PEM. */
export const registryShape = {
  /** Base URL of its Confluent API. */
  SCHEMA_REGISTRY_URL: url(),
  SCHEMA_REGISTRY_USERNAME: z.string().optional(),
  SCHEMA_REGISTRY_PASSWORD: z.string().optional(),
  /** Its certificate authority; the public ones unless given. */
  SCHEMA_REGISTRY_CA_FILE: z.string().optional(),
};

const schema = z.object(registryShape);

export type RegistryAccess = Readonly<z.output<typeof schema>>;

/** The settings of an environment, for programs without a config of their own. @throws `invalid_config` */
export function readRegistryAccess(env: NodeJS.ProcessEnv): RegistryAccess {
  return readEnv(schema, env);
}
