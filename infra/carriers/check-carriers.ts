import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { carrierFilesIn, termsFilesIn } from "../../services/domain/carrier/read-carriers.ts";
import { findDirectoryFaults } from "../../services/domain/carrier/rules/carrier-directory.ts";
import type { CarrierFileFault } from "../../services/domain/carrier/rules/carrier-file.ts";
import { readProvider, type Provider } from "../../services/domain/carrier/rules/provider.ts";
import { readTerms } from "../../services/domain/terms/rules/country-terms.ts";
import { AppError, errorCodeOf } from "../../services/platform/errors.ts";
import { EXCEPTION_CATALOGUE } from "../../services/domain/order/rules/exception-catalogue.ts";
import { STATUS_UPDATE_KINDS } from "../../services/domain/order/rules/status-update.ts";

/** What was found in the carrier files, each with its file and a JSON pointer. */
export interface CarrierFindings {
  /** What keeps a file from being used, or a carrier's update from having an effect. */
  readonly faults: readonly string[];
  /** What may be intended. */
  readonly notes: readonly string[];
}

/** Checks the directory, every provider's file and every country's. @throws `invalid_config` where the folder cannot be read */
export function checkCarriers(folder: string): CarrierFindings {
  try {
    return check(folder);
  } catch (error) {
    const why = errorCodeOf(error);
    if (why === "") throw error;
    throw new AppError("invalid_config", `CARRIERS_DIR ${folder} cannot be read: ${why}.`);
  }
}

function check(folder: string): CarrierFindings {
  const [directory = "", ...files] = carrierFilesIn(folder);
  const names = files.map((file) => basename(file, ".json"));
  const checked = files.map((file) => checkProvider(folder, file));
  const inDirectory = findDirectoryFaults(readFileSync(join(folder, directory), "utf8"), names);
  return {
    faults: [
      ...at(join(folder, directory), inDirectory),
      ...checked.flatMap((one) => one.faults),
      ...termsFilesIn(folder).flatMap((file) => checkTerms(folder, file)),
    ],
    notes: checked.flatMap((one) => one.notes),
  };
}

function checkProvider(folder: string, file: string): CarrierFindings {
  const path = join(folder, file);
  const read = readProvider(basename(file, ".json"), readFileSync(path, "utf8"));
  if ("faults" in read) return { faults: at(path, read.faults), notes: [] };
  const { data: provider } = read;
  return { faults: at(path, missingStatuses(provider)), notes: at(path, missingCodes(provider)) };
}

function checkTerms(folder: string, file: string): string[] {
  const path = join(folder, file);
  const read = readTerms(basename(file, ".json"), readFileSync(path, "utf8"));
  return "faults" in read ? at(path, read.faults) : [];
}

function at(path: string, faults: readonly CarrierFileFault[]): string[] {
  return faults.map(({ pointer, detail }) => `${path}${pointer}: ${detail}`);
}

function missingStatuses({ statuses }: Provider): CarrierFileFault[] {
  const named = new Set(statuses.values());
  return STATUS_UPDATE_KINDS.filter((kind) => !named.has(kind)).map((kind) => ({
    pointer: "#/statuses",
    detail: `no status means ${kind}`,
  }));
}

/** A provider without codes of its own sends canonical ones, which need no entry. */
function missingCodes({ codes }: Provider): CarrierFileFault[] {
  if (codes.size === 0) return [];
  const named = new Set(codes.values());
  const missing = EXCEPTION_CATALOGUE.map(({ code }) => code).filter(
    (code) => code !== "other" && !named.has(code),
  );
  if (missing.length === 0) return [];
  return [{ pointer: "#/codes", detail: `no code means ${missing.join(", ")}` }];
}
