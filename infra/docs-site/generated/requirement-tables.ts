import { COUNTRIES } from "../../../services/domain/countries/countries.ts";
import {
  fieldTypeOf,
  maxAgeDaysOf,
  type RequirementDefinition,
} from "../../../services/domain/countries/fields/requirement-definition.ts";
import { ORDER_KINDS } from "../../../services/domain/requirement/rules/catalogue.ts";
import { codeList, markdownTable } from "./markdown-table.ts";

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
        COUNTRIES.get(country)?.types[number_type]?.leadTime.days ?? "",
      ]);
      const head = ["Number type", "Mandatory", "Optional", "Business days"];
      return `### ${names.of(country) ?? country} (${country})\n\n${markdownTable(head, rows)}`;
    })
    .join("\n\n");
}

/** Every requirement once, as the first kind that asks for it defines it. */
export function requirementTable(): string {
  const all = new Map<string, RequirementDefinition>();
  for (const { profile } of ORDER_KINDS) {
    for (const field of profile) if (!all.has(field.slug)) all.set(field.slug, field);
  }
  const rows = [...all.values()]
    .toSorted((a, b) => a.slug.localeCompare(b.slug))
    .map((field) => {
      const days = maxAgeDaysOf(field);
      const type = fieldTypeOf(field) + (days === null ? "" : `, ${days} days old at most`);
      return [`\`${field.slug}\``, field.name, type, field.description];
    });
  return markdownTable(["Slug", "Name", "Type", "What it is"], rows);
}
