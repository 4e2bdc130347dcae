import type { z } from "zod";
import { AppError } from "../../../platform/errors.ts";

/** A fault of a carrier file: where it is, as a JSON pointer, and what is wrong. */
export interface CarrierFileFault {
  readonly pointer: string;
  readonly detail: string;
}

/** The content of a carrier file, or every fault that keeps it from being used. */
export type CarrierFile<T> =
  | { readonly data: T }
  | { readonly faults: readonly CarrierFileFault[] };

/** A file's JSON in the shape, or what is wrong with it. */
export function readCarrierFile<T>(shape: z.ZodType<T>, json: string): CarrierFile<T> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { faults: [{ pointer: "#", detail: `not valid JSON: ${why}` }] };
  }
  const { data, error } = shape.safeParse(value);
  if (error === undefined) return { data };
  const faults = error.issues.map(({ path, message }) => ({
    pointer: `#/${path.map(String).join("/")}`,
    detail: message,
  }));
  return { faults };
}

/** What was read of a file. @throws `invalid_config` with every fault */
export function requireUsable<T>(file: string, read: CarrierFile<T>): T {
  if ("data" in read) return read.data;
  const details = read.faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join("; ");
  throw new AppError("invalid_config", `The file ${file} is not valid. ${details}.`);
}
