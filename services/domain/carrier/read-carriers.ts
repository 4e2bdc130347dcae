import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import {
  carriersByProvider,
  parseCarrierDirectory,
  type CarrierDirectory,
} from "./rules/carrier-directory.ts";
import { parseRanges } from "./rules/number-ranges.ts";
import { parseProvider, type Provider } from "./rules/provider.ts";

const SUFFIX = ".json";
const PROVIDERS = "providers";
const TERMS = "terms";

/** The folder of the carrier files: `directory.json`, `providers/<provider>.json` and, where there are any, `terms/<country>.json`. */
export const carriersShape = { CARRIERS_DIR: z.string().min(1).default("data/carriers") };

/** The content of the carrier files. */
export interface Carriers {
  readonly directory: CarrierDirectory;
  /** By name, which is the file name without its suffix. */
  readonly providers: ReadonlyMap<string, Provider>;
}

/** The carrier files, relative to the folder. */
export function carrierFilesIn(folder: string): string[] {
  const providers = readdirSync(join(folder, PROVIDERS)).filter((file) => file.endsWith(SUFFIX));
  return ["directory.json", ...providers.toSorted().map((file) => join(PROVIDERS, file))];
}

/** The files of countries, relative to the folder; a deployment may have none. */
export function termsFilesIn(folder: string): string[] {
  if (!existsSync(join(folder, TERMS))) return [];
  const files = readdirSync(join(folder, TERMS)).filter((file) => file.endsWith(SUFFIX));
  return files.toSorted().map((file) => join(TERMS, file));
}

/** The names of the providers, without reading their files. @throws `invalid_config` */
export function providerNamesIn(folder: string): string[] {
  const [, ...providers] = read(folder, carrierFilesIn);
  return providers.map(nameOf);
}

/** The carriers that the directory assigns to each provider. @throws `invalid_config` */
export function carriersByProviderIn(folder: string): ReadonlyMap<string, readonly string[]> {
  return carriersByProvider(textOf(folder, "directory.json"));
}

function textOf(folder: string, file: string): string {
  return read(folder, () => readFileSync(join(folder, file), "utf8"));
}

function nameOf(file: string): string {
  return file.slice(PROVIDERS.length + 1, -SUFFIX.length);
}

/**
 * Reads the carrier directory and every provider.
 * @throws `invalid_config` if the folder cannot be read or a file in it is invalid
 */
export function readCarriers(folder: string): Carriers {
  const [directory = "", ...providers] = read(folder, carrierFilesIn);
  const text = (file: string): string => textOf(folder, file);
  return {
    directory: parseCarrierDirectory(
      text(directory),
      read(folder, termsFilesIn).flatMap((file) => parseRanges(basename(file, SUFFIX), text(file))),
    ),
    providers: new Map(
      providers.map((file) => {
        const name = nameOf(file);
        return [name, parseProvider(name, text(file))];
      }),
    ),
  };
}

function read<T>(folder: string, from: (folder: string) => T): T {
  try {
    return from(folder);
  } catch (cause) {
    const message = `The carrier files cannot be read. CARRIERS_DIR is ${folder}.`;
    throw new AppError("invalid_config", message, { cause });
  }
}
