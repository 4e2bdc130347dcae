import { readFileSync } from "node:fs";
import type { CarrierDirectory } from "../domain/carrier/carrier-directory.ts";
import { parseCarrierDirectory } from "../domain/carrier/carrier-directory.ts";
import { AppError } from "../platform/errors.ts";

const SHIPPED = new URL("../carrier-adapter/carriers/directory.json", import.meta.url);

/**
 * The carriers' directory: the deployment's own file, else the shipped one, which lies beside the adapter.
 * @throws `invalid_config` where there is none or it is wrong
 */
export function readCarrierDirectory(path: string | undefined): CarrierDirectory {
  try {
    return parseCarrierDirectory(readFileSync(path ?? SHIPPED, "utf8"));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid_config", "The carriers' directory cannot be read.", { cause });
  }
}
