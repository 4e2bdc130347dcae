import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic } from "../../platform/periodic.ts";
import {
  carriersByProvider,
  parseCarrierDirectory,
  type CarrierDirectory,
} from "./rules/carrier-directory.ts";
import { parseProvider, type Provider, type Providers } from "./rules/provider.ts";
import {
  completeTerms,
  parseTerms,
  withChanges,
  type CountryTerms,
  type TermsChanges,
} from "../terms/rules/country-terms.ts";
import type { TermsOf } from "../terms/rules/port-date.ts";
import { COUNTRIES } from "../countries/countries.ts";

const SUFFIX = ".json";
const PROVIDERS = "providers";
const TERMS = "terms";

/** What comes with the project; a country's terms count where a deployment's own folder does not say otherwise. */
const SHIPPED = "data/carriers";

/** The folder of the carrier files: `directory.json`, `providers/<provider>.json` and, where there are any, `terms/<country>.json`. */
export const carriersShape = { CARRIERS_DIR: z.string().min(1).default(SHIPPED) };

/** The content of the carrier files. */
interface Carriers {
  readonly directory: CarrierDirectory;
  /** By name, which is the file name without its suffix. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly terms: TermsOf;
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
  const byName = new Map(
    providers.map((file) => {
      const name = nameOf(file);
      return [name, parseProvider(name, text(file))];
    }),
  );
  const terms = readTermsIn(folder);
  const ranges = [...terms].flatMap(([country_code, { ranges: added }]) =>
    added.map(({ prefix, number_type = null }) => ({ prefix, country_code, number_type })),
  );
  return {
    directory: parseCarrierDirectory(text(directory), ranges),
    providers: byName,
    terms: termsBy(terms, byName),
  };
}

/** The terms of each country, by its code: the shipped ones, with what the folder says otherwise. */
function readTermsIn(folder: string): ReadonlyMap<string, CountryTerms> {
  const own = termsChangesIn(folder);
  const shipped = resolve(folder) === resolve(SHIPPED) ? own : termsChangesIn(SHIPPED);
  return new Map(
    [...COUNTRIES.keys()].map((code) => {
      const base = shipped.get(code) ?? {};
      const said = shipped === own ? base : withChanges(base, own.get(code) ?? {});
      return [code, completeTerms(code, said)];
    }),
  );
}

function termsChangesIn(folder: string): ReadonlyMap<string, TermsChanges> {
  return new Map(
    termsFilesIn(folder).map((file) => {
      const country = basename(file, SUFFIX);
      return [country.toUpperCase(), parseTerms(country, readFileSync(join(folder, file), "utf8"))];
    }),
  );
}

function termsBy(
  terms: ReadonlyMap<string, CountryTerms>,
  providers: ReadonlyMap<string, Provider>,
): TermsOf {
  const changed = new Map(
    [...providers].flatMap(([name, { terms: changes }]) =>
      [...changes].flatMap(([country, change]): [string, CountryTerms][] => {
        const code = country.toUpperCase();
        const base = terms.get(code);
        return base === undefined ? [] : [[`${code} ${name}`, withChanges(base, change)]];
      }),
    ),
  );
  return (country, provider) =>
    changed.get(`${country} ${provider ?? ""}`) ?? terms.get(country) ?? null;
}

function read<T>(folder: string, from: (folder: string) => T): T {
  try {
    return from(folder);
  } catch (cause) {
    const message = `The carrier files cannot be read. CARRIERS_DIR is ${folder}.`;
    throw new AppError("invalid_config", message, { cause });
  }
}

/** Mounted folders do not send change notifications, so they are polled. */
const POLL_EVERY_MS = 2_000;

/** The current carrier files; its members use the latest valid version. */
export interface WatchedCarriers {
  readonly directory: CarrierDirectory;
  readonly providers: Providers;
  readonly terms: TermsOf;
  stop(): Promise<void>;
}

function versionOf(folder: string): string {
  const files = [...carrierFilesIn(folder), ...termsFilesIn(folder)].map((file) => {
    const { mtimeMs, size, ino } = statSync(join(folder, file));
    return [file, mtimeMs, size, ino];
  });
  return JSON.stringify(files);
}

/**
 * Reads the carrier files, and reloads them whenever one changes. An invalid change is logged once, and the previous
 * version stays in use.
 * @throws `invalid_config` if they are invalid at startup
 */
export function watchCarriers({
  folder,
  log,
  everyMs = POLL_EVERY_MS,
}: {
  readonly folder: string;
  readonly log: Logger;
  readonly everyMs?: number;
}): WatchedCarriers {
  let current = readCarriers(folder);
  let known = versionOf(folder);
  const poll = (): Promise<void> => {
    const version = versionOf(folder);
    if (version === known) return Promise.resolve();
    known = version;
    try {
      current = readCarriers(folder);
      log.info({ providers: current.providers.size }, "reloaded the carrier files");
    } catch (error) {
      log.error(
        { err: error },
        "the changed carrier files are invalid; the previous version stays in use",
      );
    }
    return Promise.resolve();
  };
  const watch = startPeriodic({ name: "carrier files", everyMs, run: poll, log });
  return {
    directory: {
      carriers: () => current.directory.carriers(),
      carrierOf: (phoneNumber) => current.directory.carrierOf(phoneNumber),
      rangeOf: (phoneNumber) => current.directory.rangeOf(phoneNumber),
      providerOf: (carrier) => current.directory.providerOf(carrier),
    },
    providers: {
      get: (name) => current.providers.get(name),
      has: (name) => current.providers.has(name),
      keys: () => current.providers.keys(),
    },
    terms: (country, provider) => current.terms(country, provider),
    stop: () => watch.stop(),
  };
}
