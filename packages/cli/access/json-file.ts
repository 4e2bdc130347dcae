import { existsSync, readFileSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import { EXIT_CODES } from "../errors/exit-codes.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The object in a file; null where there is no such file. @throws CliError if it cannot be read */
export function readJsonFile(path: string): Json | null {
  if (!existsSync(path)) return null;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value === "object" && value !== null) return value as Json;
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${String(error)}`, EXIT_CODES.access);
  }
  throw new CliError(`${path} is not the JSON that was expected.`, EXIT_CODES.access);
}

/** A text of the object; empty where it has none. */
export function textField(object: Json, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
