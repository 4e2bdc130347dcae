import { z } from "zod";
import type { NumberType } from "../../countries/number-type.ts";
import type { RangeOf } from "../../number/rules/classify-number.ts";
import { readCarrierFile, requireUsable, type CarrierFileFault } from "./carrier-file.ts";

/** Numbers of a country that libphonenumber does not know, or knows otherwise. */
export interface NumberRange {
  readonly prefix: string;
  readonly country_code: string;
  readonly number_type: NumberType | null;
}

/** By the longest prefix. */
function rangesOf(ranges: readonly NumberRange[]): RangeOf {
  const longestFirst = ranges.toSorted((a, b) => b.prefix.length - a.prefix.length);
  return (phoneNumber) => {
    const range = longestFirst.find(({ prefix }) => phoneNumber.startsWith(prefix));
    if (range === undefined) return null;
    const { country_code, number_type } = range;
    return { country_code, number_type };
  };
}

const line = () => z.string().min(1).max(500).nullable().default(null);

/** How a carrier's or a provider's people are reached, as its file says; whatever is not given is null. */
export const carrierContact = z.strictObject({
  name: line(),
  phone: line(),
  email: line(),
  url: line(),
  notes: z.string().min(1).max(4_000).nullable().default(null),
});

export type CarrierContact = z.output<typeof carrierContact>;

/** Not a carrier: what a request names to have an order carried out by hand. */
export const MANUAL_CARRIER = "manual";
const LONGEST_PREFIX = 16;

const shape = z.strictObject({
  /** By name; `provider` is given if it is not the deployment's default. */
  carriers: z.record(
    z.string().min(1),
    z.strictObject({ provider: z.string().min(1).optional(), contact: carrierContact.optional() }),
  ),
  /** Prefix of an E.164 number → name in `carriers`. */
  prefixes: z.record(z.string().regex(/^\+[1-9]\d{0,14}$/), z.string()),
});

const content = shape.superRefine(({ carriers, prefixes }, context) => {
  for (const [prefix, carrier] of Object.entries(prefixes)) {
    if (Object.hasOwn(carriers, carrier)) continue;
    context.addIssue({ code: "custom", path: ["prefixes", prefix], message: "unknown carrier" });
  }
});

/** A losing carrier of the directory. */
export interface DirectoryCarrier {
  readonly name: string;
  /** Null for the deployment's default. */
  readonly provider: string | null;
  readonly contact: CarrierContact | null;
  readonly prefixes: readonly string[];
}

/** Maps numbers to carriers, and carriers to the providers that port from them. */
export interface CarrierDirectory {
  /** All of them, by name. */
  carriers(): readonly DirectoryCarrier[];
  /** By the longest listed prefix; null if none matches. */
  carrierOf(phoneNumber: string): string | null;
  /** The kind of a number of a range that an operator has added; null for all others. */
  rangeOf: RangeOf;
  /** Null if the directory has none; the deployment's default then serves the carrier. */
  providerOf(carrier: string | null): string | null;
}

/**
 * Parses the directory's JSON; `ranges` are those of the countries' files. Names are compared case-insensitively.
 * @throws `invalid_config` if it is not valid
 */
export function parseCarrierDirectory(
  json: string,
  ranges: readonly NumberRange[] = [],
): CarrierDirectory {
  const { carriers, prefixes } = requireUsable("directory.json", readCarrierFile(content, json));
  const carrierByPrefix = new Map(Object.entries(prefixes));
  const providerByCarrier = new Map(
    Object.entries(carriers).map(([name, { provider }]) => [name.toLowerCase(), provider]),
  );
  const listed = Object.entries(carriers)
    .map(([name, { provider = null, contact = null }]) => {
      const own = Object.keys(prefixes).filter((prefix) => prefixes[prefix] === name);
      return { name, provider, contact, prefixes: own };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  return {
    carriers: () => listed,
    rangeOf: rangesOf(ranges),
    carrierOf: (phoneNumber) => {
      for (let length = LONGEST_PREFIX; length > 1; length -= 1) {
        const carrier = carrierByPrefix.get(phoneNumber.slice(0, length));
        if (carrier !== undefined) return carrier;
      }
      return null;
    },
    providerOf: (carrier) => {
      if (carrier === null) return null;
      if (carrier === MANUAL_CARRIER) return MANUAL_CARRIER;
      return providerByCarrier.get(carrier.toLowerCase()) ?? null;
    },
  };
}

/** The carriers that the directory assigns to each provider. @throws `invalid_config` if it is not valid */
export function carriersByProvider(json: string): ReadonlyMap<string, readonly string[]> {
  const byProvider = new Map<string, string[]>();
  const { carriers } = requireUsable("directory.json", readCarrierFile(content, json));
  for (const [carrier, { provider }] of Object.entries(carriers)) {
    if (provider === undefined) continue;
    byProvider.set(provider, [...(byProvider.get(provider) ?? []), carrier]);
  }
  return byProvider;
}

/** Every fault of the directory's JSON; `providers` are those that have a file. */
export function findDirectoryFaults(
  json: string,
  providers: readonly string[],
): CarrierFileFault[] {
  const read = readCarrierFile(content, json);
  const invalid = "faults" in read ? read.faults : [];
  const named = readCarrierFile(shape, json);
  const carriers = "data" in named ? Object.entries(named.data.carriers) : [];
  const known = providers.toSorted().join(", ");
  const homeless = carriers.flatMap(([carrier, { provider }]) =>
    provider === undefined || providers.includes(provider)
      ? []
      : [
          {
            pointer: `#/carriers/${carrier}/provider`,
            detail: `there is no file providers/${provider}.json; there are ${known}`,
          },
        ],
  );
  return [...invalid, ...homeless];
}
