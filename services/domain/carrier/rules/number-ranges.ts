import { z } from "zod";
import { AppError } from "../../../platform/errors.ts";
import { findCountry } from "../../countries/find-country.ts";
import { NUMBER_TYPES, type NumberType } from "../../countries/number-type.ts";
import { callingPrefixOf, type RangeOf } from "../../number/rules/classify-number.ts";
import type { CarrierFileFault } from "./provider.ts";

const shape = z.strictObject({
  ranges: z.array(
    z.strictObject({
      prefix: z.string().regex(/^\+[1-9]\d{1,13}$/, "not the beginning of an E.164 number"),
      /** The customer's choice of local and mobile unless given. */
      number_type: z.enum(NUMBER_TYPES).optional(),
    }),
  ),
});

/** Numbers of a country that libphonenumber does not know, or knows otherwise. */
export interface NumberRange {
  readonly prefix: string;
  readonly country_code: string;
  readonly number_type: NumberType | null;
}

interface Read {
  readonly ranges: readonly NumberRange[];
  readonly faults: readonly CarrierFileFault[];
}

/** The content of `terms/<country>.json`, and every fault that keeps it from being used. */
export function readRanges(country: string, json: string): Read {
  const unusable = (pointer: string, detail: string): Read => ({
    ranges: [],
    faults: [{ pointer, detail }],
  });
  const code = country.toUpperCase();
  if (country !== country.toLowerCase() || findCountry(code) === null) {
    return unusable("#", "its name is not a country's, such as us.json");
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return unusable(
      "#",
      `not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const { data, error } = shape.safeParse(value);
  if (data === undefined) {
    const faults = error.issues.map(({ path, message }) => ({
      pointer: `#/${path.join("/")}`,
      detail: message,
    }));
    return { ranges: [], faults };
  }
  const calling = callingPrefixOf(code) ?? "";
  const foreign = data.ranges.flatMap(({ prefix }, n) =>
    prefix.startsWith(calling)
      ? []
      : [
          {
            pointer: `#/ranges/${n}/prefix`,
            detail: `the country's numbers begin with ${calling}`,
          },
        ],
  );
  const ranges = data.ranges.map(({ prefix, number_type = null }) => ({
    ...{ prefix, number_type },
    country_code: code,
  }));
  return { ranges, faults: foreign };
}

/** @throws `invalid_config` with every fault */
export function parseRanges(country: string, json: string): readonly NumberRange[] {
  const { ranges, faults } = readRanges(country, json);
  if (faults.length === 0) return ranges;
  const details = faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join("; ");
  throw new AppError("invalid_config", `The file terms/${country}.json is not valid. ${details}.`);
}

/** By the longest prefix. */
export function rangesOf(ranges: readonly NumberRange[]): RangeOf {
  const longestFirst = ranges.toSorted((a, b) => b.prefix.length - a.prefix.length);
  return (phoneNumber) => {
    const range = longestFirst.find(({ prefix }) => phoneNumber.startsWith(prefix));
    if (range === undefined) return null;
    const { country_code, number_type } = range;
    return { country_code, number_type };
  };
}
