import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../services/platform/errors.ts";

const credentials = z
  .object({ api_url: z.string(), desk_url: z.string(), desk_token: z.string() })
  .transform(({ api_url: apiUrl, desk_url: deskUrl, desk_token: deskToken }) => {
    return { apiUrl, deskUrl, deskToken };
  });

export type HttpPlace = z.output<typeof credentials>;

/** Where the running `npm start` is. @throws `invalid_config` where none runs */
export async function openHttpPlace(env: NodeJS.ProcessEnv): Promise<HttpPlace> {
  const path = join(env["DATA_DIR"] ?? ".data", "credentials.json");
  try {
    return credentials.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    throw new AppError("invalid_config", `${path} has no credentials: is npm start running?`, {
      cause,
    });
  }
}
