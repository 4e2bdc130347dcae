import { AppError, errorCodeOf } from "../../../platform/errors.ts";
import type { ExportTarget } from "./export-log.ts";
import { LINE_FORMATS } from "./line-format.ts";
import { openFileTarget, streamTarget } from "./line-targets.ts";
import { openPartsTarget } from "./parquet-parts.ts";

export const EXPORT_FORMATS = ["ndjson", "csv", "parquet"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Opens a file (for Parquet: a folder) to be continued; without a path, standard output. */
export async function openTarget(format: ExportFormat, path?: string): Promise<ExportTarget> {
  try {
    return await open(format, path);
  } catch (error) {
    const why = errorCodeOf(error);
    if (why === "" || error instanceof AppError) throw error;
    throw new AppError("invalid_config", `--out ${path ?? ""} cannot be written: ${why}.`);
  }
}

async function open(format: ExportFormat, path?: string): Promise<ExportTarget> {
  if (format === "parquet") {
    if (path !== undefined) return openPartsTarget(path);
    throw new AppError("invalid_config", "Parquet is written to a folder: give --out <folder>.");
  }
  const lines = LINE_FORMATS[format];
  return path === undefined ? streamTarget(process.stdout, lines) : openFileTarget(path, lines);
}
