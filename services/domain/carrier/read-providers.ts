import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Providers } from "./provider.ts";
import { parseProvider } from "./provider.ts";

const FOLDER = new URL("../../carrier-adapter/providers/", import.meta.url);
const SUFFIX = ".json";

/**
 * Every provider that has a file beside the adapter, named after it.
 * @throws `invalid_config` where one is wrong
 */
export function readProviders(): Providers {
  const names = readdirSync(fileURLToPath(FOLDER))
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length));
  return new Map(
    names.map((name) => {
      const json = readFileSync(new URL(name + SUFFIX, FOLDER), "utf8");
      return [name, parseProvider(name, json)];
    }),
  );
}
