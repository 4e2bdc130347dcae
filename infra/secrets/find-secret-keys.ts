import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { parseSecretKeys } from "../../services/platform/secret-box.ts";

/**
 * The secret keys for a command line program, the one that encrypts first: the environment's, else those of
 * `npm start`.
 * @throws `invalid_config`
 */
export async function findSecretKeys(env: NodeJS.ProcessEnv): Promise<readonly Buffer[]> {
  const given = env["SECRETS_KEY"] ?? "";
  const text =
    given === "" ? await readKeyFile(join(env["DATA_DIR"] ?? ".data", "secrets.key")) : given;
  return readSecretKeys(text);
}

/** The keys of the text of `SECRETS_KEY`, the one that encrypts first. @throws `invalid_config` */
export function readSecretKeys(text: string): readonly Buffer[] {
  return parseSecretKeys(
    text
      .split(",")
      .map((key) => key.trim())
      .filter((key) => key !== ""),
  );
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new AppError("invalid_config", `SECRETS_KEY is not set and ${path} does not exist.`, {
      cause,
    });
  }
}
