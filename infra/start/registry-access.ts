import { registryVariables } from "../../services/platform/command-line.ts";
import {
  ensureRegistryPasswords,
  REGISTRY_READER,
  REGISTRY_WRITER,
  registryLogin,
  type RegistryPasswords,
} from "../local-stack/registry-login.ts";
import type { StartConfig } from "./config.ts";
import type { Credentials } from "./credentials.ts";

/** How `npm start`, its services and the carriers log in to the schema registry. */
export interface RegistryAccounts {
  /** Null: the registry that SCHEMA_REGISTRY_URL names, to which all log in as the environment says. */
  readonly passwords: RegistryPasswords | null;
  readonly readerVariables: NodeJS.ProcessEnv;
  readonly writerVariables: NodeJS.ProcessEnv;
  readonly credentials: Pick<Credentials, "schema_registry_reader" | "schema_registry_writer">;
}

/** One user that reads and one that registers, with passwords that later starts keep. */
export function prepareRegistryAccess({ dataDir, existing }: StartConfig): RegistryAccounts {
  if (existing.registryUrl !== undefined) {
    return { passwords: null, readerVariables: {}, writerVariables: {}, credentials: {} };
  }
  const passwords = ensureRegistryPasswords(dataDir);
  const reader = registryLogin(passwords, REGISTRY_READER);
  const writer = registryLogin(passwords, REGISTRY_WRITER);
  return {
    passwords,
    readerVariables: registryVariables(reader),
    writerVariables: registryVariables(writer),
    credentials: { schema_registry_reader: reader, schema_registry_writer: writer },
  };
}
