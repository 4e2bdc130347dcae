import { z } from "zod";
import { AppError } from "../../../platform/errors.ts";
import {
  readCarrierFile,
  requireUsable,
  type CarrierFile,
  type CarrierFileFault,
} from "../../carrier/rules/carrier-file.ts";
import { hasPublicHolidays, holidayRegionsOf } from "../../../platform/calendar/public-holidays.ts";
import { isDate } from "../../../platform/calendar/instant-text.ts";
import { isTimeZone } from "../../../platform/calendar/time-zone.ts";
import { findCountry } from "../../countries/countries.ts";
import type { Country } from "../../countries/country.ts";
import type { RequirementDefinition } from "../../countries/fields/requirement-definition.ts";
import { NUMBER_TYPES, type NumberType } from "../../countries/number-type.ts";
import { callingPrefixOf } from "../../number/rules/classify-number.ts";
import { letterTerms } from "./letter-terms.ts";

const PREFIX = z.string().regex(/^\+[1-9]\d{0,13}$/, "not the beginning of an E.164 number");
const CLOCK_TIME = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "not a time such as 08:30");
const TIME_ZONE = z.string().refine(isTimeZone, "not a time zone");
/** Who says so: a regulator's rule, a carrier's page. */
const SOURCE = z.string().min(1).max(500);
/** From 1 (Monday) to 7. */
const WEEKDAYS = z.array(z.int().min(1).max(7)).min(1);
const MAX_LEAD_DAYS = 120;
const MAX_AGE_DAYS = 365;

const leadTime = z.strictObject({
  /** Working days that the losing carrier needs, after the one on which it receives the request. */
  days: z.int().min(0).max(MAX_LEAD_DAYS),
  /** The days of the week that are counted, where they are not the kind's own. */
  counts: WEEKDAYS.optional(),
  /** What an order must be for it to count; any order unless given. */
  when: z
    .strictObject({
      numbers_from: z.int().min(1).optional(),
      numbers_to: z.int().min(1).optional(),
      /** A requirement of type choice, by slug, and the values of which it has one. */
      values: z.record(z.string(), z.array(z.string()).min(1)).optional(),
    })
    .optional(),
  source: SOURCE,
});

const window = z
  .strictObject({ from: CLOCK_TIME, to: CLOCK_TIME })
  .refine(({ from, to }) => from <= to, "it ends before it begins");

/** How old documents may be, in days, by slug. */
const documentAges = z.record(
  z.string(),
  z.strictObject({ days: z.int().min(1).max(MAX_AGE_DAYS), source: SOURCE }),
);

const kindTerms = z.strictObject({
  /** The first one whose condition holds counts; the last one has none. */
  lead_times: z
    .array(leadTime)
    .min(1)
    .refine((rules) => rules.at(-1)?.when === undefined, "the last one has no condition"),
  /** The days on which carriers work for it; public holidays are none. */
  days: WEEKDAYS,
  /** When numbers are moved on such a day, by the number's own clock, earliest first. */
  windows: z.array(window).min(1),
  /** Where they are not those of the country. */
  document_ages: documentAges.optional(),
  source: SOURCE,
});

const holidays = z
  .strictObject({
    /** Country (ISO 3166-1 alpha-2) whose nationwide holidays count. */
    of: z.string().refine(hasPublicHolidays, "no country whose holidays are known"),
    /** Regions of the country (ISO 3166-2 without the country) whose own holidays count too. */
    regions: z.array(z.string()).default([]),
    /** Further days off, as YYYY-MM-DD. */
    dates: z.array(z.string().refine(isDate, "not a date such as 2026-12-24")).default([]),
    source: SOURCE,
  })
  .refine(
    ({ of, regions }) => regions.every((one) => holidayRegionsOf(of).includes(one)),
    "it names a region whose holidays are not known",
  );

const range = z.strictObject({
  prefix: PREFIX,
  /** The customer's choice of local and mobile unless given. */
  number_type: z.enum(NUMBER_TYPES).optional(),
});

const content = z.strictObject({
  time_zone: TIME_ZONE,
  /** A request that arrives later counts as received on the next working day. */
  cut_off: CLOCK_TIME,
  /** Where numbers have another zone than the country's main one; the longest prefix counts. */
  zones: z.array(
    z.strictObject({
      time_zone: TIME_ZONE,
      prefixes: z.array(PREFIX).min(1),
      /** Regions whose holidays count there, in place of those of `holidays`. */
      regions: z.array(z.string()).optional(),
      source: SOURCE,
    }),
  ),
  holidays,
  kinds: z.partialRecord(z.enum(NUMBER_TYPES), kindTerms),
  document_ages: documentAges,
  /** Unless given, a letter is in English and has nothing particular. */
  letter: letterTerms.optional(),
  /** Numbers that libphonenumber does not know, or knows otherwise. */
  ranges: z.array(range),
});

/** What a country's carriers and its law say about when numbers move: `terms/<country>.json`. */
export type CountryTerms = z.output<typeof content>;
export type KindTerms = z.output<typeof kindTerms>;
export type LeadTime = KindTerms["lead_times"][number];

/** A file may say only what it changes. */
export const termsChanges = content.partial();
export type TermsChanges = z.output<typeof termsChanges>;

/** The content of `terms/<country>.json`, or every fault that keeps it from being used. */
export function readTerms(country: string, json: string): CarrierFile<TermsChanges> {
  const code = country.toUpperCase();
  if (country !== country.toLowerCase() || findCountry(code) === null) {
    return { faults: [{ pointer: "#", detail: "its name is not a country's, such as us.json" }] };
  }
  const read = readCarrierFile(termsChanges, json);
  if ("faults" in read) return read;
  const faults = findTermsFaults(code, read.data);
  return faults.length > 0 ? { faults } : read;
}

/** @throws `invalid_config` with every fault */
export function parseTerms(country: string, json: string): TermsChanges {
  return requireUsable(`terms/${country}.json`, readTerms(country, json));
}

/** What is wrong with terms for the country, from its file or a provider's: they have their shape. */
export function findTermsFaults(code: string, terms: TermsChanges): CarrierFileFault[] {
  const country = findCountry(code);
  if (country === null) return [{ pointer: "#", detail: "no country's name, such as us" }];
  return [...findForeignPrefixes(code, terms), ...findUnknownNames(country, terms)];
}

function findForeignPrefixes(code: string, terms: TermsChanges): CarrierFileFault[] {
  const calling = callingPrefixOf(code) ?? "";
  const prefixes = [
    ...(terms.ranges ?? []).map(({ prefix }, n) => [`ranges/${n}/prefix`, prefix] as const),
    ...(terms.zones ?? []).flatMap((zone, n) =>
      zone.prefixes.map((prefix, m) => [`zones/${n}/prefixes/${m}`, prefix] as const),
    ),
  ];
  return prefixes
    .filter(([, prefix]) => !prefix.startsWith(calling))
    .map(([at, prefix]) => ({
      pointer: `#/${at}`,
      detail: `${prefix} is not of the country: its numbers begin with ${calling}`,
    }));
}

/** A kind, slug or value that is misspelt would never count, and nobody would notice. */
function findUnknownNames({ types }: Country, terms: TermsChanges): CarrierFileFault[] {
  const all = Object.values(types).flatMap(({ requirements }) => requirements);
  const said = [terms, ...Object.values(terms.kinds ?? {})].flatMap((one) =>
    Object.keys(one.document_ages ?? {}),
  );
  const ages = [...new Set(said)]
    .filter((slug) => !all.some((one) => one.slug === slug && one.value.format === "document"))
    .map((slug) => ({
      pointer: `#/document_ages/${slug}`,
      detail: "the country asks for no such document",
    }));
  const kinds = Object.entries(terms.kinds ?? {}).flatMap(([type, { lead_times: rules }]) => {
    const kind = types[type as NumberType];
    const at = `#/kinds/${type}`;
    if (kind === undefined) {
      return [{ pointer: at, detail: "the country has no such numbers to port" }];
    }
    return rules.flatMap(({ when }, n) =>
      Object.entries(when?.values ?? {}).flatMap(([slug, values]) => {
        const pointer = `${at}/lead_times/${n}/when/values/${slug}`;
        const asked = kind.requirements.find((one) => one.slug === slug)?.value;
        if (asked?.format !== "choice") {
          return [{ pointer, detail: "the kind has no requirement of type choice with this slug" }];
        }
        const { options } = asked;
        return values
          .filter((value) => !options.includes(value))
          .map((value) => ({ pointer, detail: `${value} is none of ${options.join(", ")}` }));
      }),
    );
  });
  return [...ages, ...kinds];
}

/** What is said of a kind or a document replaces what was; ranges are added, and win. */
export function withChanges<T extends TermsChanges>(terms: T, changed: TermsChanges): T {
  return {
    ...terms,
    ...changed,
    kinds: { ...terms.kinds, ...changed.kinds },
    document_ages: { ...terms.document_ages, ...changed.document_ages },
    ranges: [...(changed.ranges ?? []), ...(terms.ranges ?? [])],
  };
}

/** @throws `invalid_config` where something that the country needs is said nowhere */
export function completeTerms(country: string, said: TermsChanges): CountryTerms {
  const { data, error } = content.safeParse({
    zones: [],
    kinds: {},
    document_ages: {},
    ranges: [],
    ...said,
  });
  const types = Object.keys(findCountry(country)?.types ?? {}) as NumberType[];
  const missing = [
    ...(error?.issues.map(({ path }) => `#/${path.map(String).join("/")}`) ?? []),
    ...types.filter((type) => said.kinds?.[type] === undefined).map((type) => `#/kinds/${type}`),
  ];
  if (data !== undefined && missing.length === 0) return data;
  const file = `terms/${country.toLowerCase()}.json`;
  throw new AppError("invalid_config", `The file ${file} does not say ${missing.join(", ")}.`);
}

/** Days after which a document is too old; null if there is no limit or it is not a document. */
export function maxAgeDaysOf(
  terms: CountryTerms | null,
  numberType: string,
  { slug, value }: Pick<RequirementDefinition, "slug" | "value">,
): number | null {
  if (value.format !== "document" || terms === null) return null;
  const kinds: Partial<Record<string, KindTerms>> = terms.kinds;
  const age = kinds[numberType]?.document_ages?.[slug] ?? terms.document_ages[slug];
  return age?.days ?? null;
}
