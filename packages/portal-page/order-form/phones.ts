import type { CountryCode } from "libphonenumber-js/min";

/** How phone numbers are written. */
export interface Phones {
  /** A number in E.164 as people of the country write it; from abroad, with its calling code. */
  readonly shown: (number: string, country: string) => string;
  /** What has been typed so far, grouped. */
  readonly typed: (text: string, country: string) => string;
}

/** Where the numbering plans have not come, or cannot be fetched. */
export const AS_WRITTEN: Phones = { shown: (number) => number, typed: (text) => text };

/** Fetches the numbering plans, which are larger than the page's own code. */
export async function loadPhones(): Promise<Phones> {
  const { AsYouType, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } =
    await import("libphonenumber-js/min");
  const known = (country: string): CountryCode | undefined =>
    isSupportedCountry(country) ? country : undefined;
  return {
    shown: (number, country) => {
      const parsed = parsePhoneNumberFromString(number);
      const home = known(country);
      if (parsed === undefined) return number;
      const isAtHome =
        home !== undefined && parsed.countryCallingCode === getCountryCallingCode(home);
      return isAtHome ? parsed.formatNational() : parsed.formatInternational();
    },
    typed: (text, country) => new AsYouType(known(country)).input(text) || text,
  };
}

/** What a field shows after a change: grouped where text was added at its end, as it is where something was corrected. */
export function groupedAfter(
  phones: Phones,
  change: { readonly before: string; readonly text: string; readonly isAtEnd: boolean },
  country: string,
): string {
  const { before, text, isAtEnd } = change;
  const isAdded = text.length > before.length && isAtEnd;
  return isAdded && !/[^\d\s()+./-]/.test(text) ? phones.typed(text, country) : text;
}
