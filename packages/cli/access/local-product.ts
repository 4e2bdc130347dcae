import { join, resolve } from "node:path";
import type { LocalProduct } from "./access.ts";
import { readJsonFile, textField } from "./json-file.ts";

/** The running `npm start` of this clone; null where none runs. */
export function readLocalProduct(projectRoot: string, env: NodeJS.ProcessEnv): LocalProduct | null {
  const folder = resolve(projectRoot, env["DATA_DIR"] ?? ".data");
  const kept = readJsonFile(join(folder, "credentials.json"));
  if (kept === null) return null;
  return {
    access: { url: textField(kept, "api_url"), key: textField(kept, "api_key") },
    deskUrl: textField(kept, "desk_url"),
    deskToken: textField(kept, "desk_token"),
  };
}
