import { readCarriers } from "../../../services/domain/carrier/read-carriers.ts";
import { COUNTRIES } from "../../../services/domain/countries/countries.ts";
import type { RequirementDefinition } from "../../../services/domain/countries/fields/requirement-definition.ts";
import { ORDER_KINDS } from "../../../services/domain/requirement/rules/catalogue.ts";
import type {
  CountryTerms,
  KindTerms,
  LeadTime,
} from "../../../services/domain/terms/rules/country-terms.ts";
import { codeList, markdownTable } from "./limit-tables.ts";

const names = new Intl.DisplayNames("en", { type: "region" });

const slugs = (profile: readonly RequirementDefinition[], mandatory: boolean): string =>
  codeList(profile.filter((one) => one.mandatory === mandatory).map(({ slug }) => slug));

/** What each kind of order asks for, country by country, and how long its carriers take. */
export function orderKindTables(): string {
  return [...COUNTRIES.keys()]
    .toSorted()
    .map((country) => {
      const kinds = ORDER_KINDS.filter(({ country_code }) => country_code === country);
      const rows = kinds.map(({ number_type, profile }) => [
        `\`${number_type}\``,
        slugs(profile, true),
        slugs(profile, false),
      ]);
      const head = ["Number type", "Mandatory", "Optional"];
      const fields = markdownTable(head, rows);
      return `### ${names.of(country) ?? country} (${country})\n\n${fields}\n\n${termsOf(country)}`;
    })
    .join("\n\n");
}

/** How long a country's carriers take, when they move numbers, and who says so. */
function termsOf(country: string): string {
  const terms = readCarriers("data/carriers").terms(country, null);
  if (terms === null) throw new Error(`no terms of ${country}`);
  const rows = Object.entries(terms.kinds).flatMap(
    ([type, { lead_times: rules, days, windows, source }]) =>
      rules.map((rule, n) => [
        n === 0 ? `\`${type}\`` : "",
        conditionOf(rule),
        rule.days,
        n === 0 ? windowText(days, windows) : "",
        rule.source === rules[n - 1]?.source ? "as above" : sourceText(rule.source),
        n === 0 ? sourceText(source) : "",
      ]),
  );
  const head = [
    "Number type",
    "Orders",
    "Working days",
    "Windows",
    "Source of the days",
    "of the windows",
  ];
  const { of, regions, dates, source } = terms.holidays;
  const where = [of, ...regions.map((region) => `${of}-${region}`), ...dates].join(", ");
  const zones = terms.zones.length === 0 ? "" : "; some prefixes have a zone of their own";
  const clock = `Time zone ${terms.time_zone}${zones}. A request counts as received that day before ${terms.cut_off}. Public holidays: ${where} (${sourceText(source)}).`;
  const ages = Object.entries(terms.document_ages).map(
    ([slug, { days, source: who }]) => `\`${slug}\` ${days} days (${sourceText(who)})`,
  );
  const documents = `Documents may be so old: ${ages.join(", ")}.`;
  return `${markdownTable(head, rows)}\n\n${clock} ${documents} ${letterText(terms)}`;
}

const languages = new Intl.DisplayNames("en", { type: "language" });

function letterText({ letter }: CountryTerms): string {
  if (letter === undefined) return "Letters are in English.";
  const { languages: read, stamp, billing_address: billing, source } = letter;
  const parts = [
    `in ${read.map((language) => languages.of(language)).join(" or ")}`,
    ...(stamp ? ["with a place for a company's stamp"] : []),
    ...(billing ? ["with the billing address"] : []),
  ];
  return `Letters are ${parts.join(", ")} (${sourceText(source)}).`;
}

/** A source with its address as a link: `Simwood lead times, https://…`. */
function sourceText(source: string): string {
  return source
    .split("; ")
    .map((part) => part.replace(/^(.*?), (https?:\/\/\S*[^\s.])/, "[$1]($2)"))
    .join("; ");
}

function conditionOf({ when = {} }: LeadTime): string {
  const { numbers_from: from, numbers_to: to, values = {} } = when;
  const numbers =
    from === undefined && to === undefined
      ? []
      : [to === undefined ? `${from} numbers or more` : `${from ?? 1} to ${to} numbers`];
  const given = Object.entries(values).map(
    ([slug, options]) => `\`${slug}\` ${options.join(" or ")}`,
  );
  return [...given, ...numbers].join(", ") || "all others";
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

function windowText(days: readonly number[], windows: KindTerms["windows"]): string {
  const named = days.map((day) => WEEKDAYS[day - 1]);
  const inARow = days.every((day, n) => n === 0 || day === (days[n - 1] ?? 0) + 1);
  const text = inARow && days.length > 2 ? `${named[0]}–${named.at(-1)}` : named.join(", ");
  return `${text} ${windows.map(({ from, to }) => `${from}–${to}`).join(", ")}`;
}
