import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXCEPTION_CATALOGUE } from "../../order/rules/exception-catalogue.ts";
import { COUNTRY_CODES } from "../../countries/country-code.ts";
import { buildRequirement } from "../../../../test/support/orders/order-factory.ts";
import {
  asMandatoryNow,
  definitionOf,
  ORDER_KINDS,
  profileOf,
  unsupportedKind,
} from "./catalogue.ts";
import { maxAgeDaysOf } from "../../terms/rules/country-terms.ts";
import { readCarriers } from "../../carrier/read-carriers.ts";
import { presentDefinition } from "../answers/requirement-answer.ts";
import { fieldTypeOf } from "../../countries/fields/requirement-definition.ts";

/** What every kind asks for, and every kind but the mobile ones too (docs/contract/customer-api.md, Porting orders). */
const ALWAYS = ["loa", "entity_name"];
const FIXED_LINES = ["auth_person_name", "service_address"];

const CONTRACT = readFileSync(join(process.cwd(), "docs/contract/customer-api.md"), "utf8");

/** `US, CA mobile` and `GB national, toll_free` are two kinds each. */
function kindsIn(names: string): string[] {
  const [last = ""] = names.match(/\w+$/) ?? [];
  let country = "";
  return names.split(", ").map((name) => {
    country = /^[A-Z]{2}/.exec(name)?.[0] ?? country;
    return `${country} ${/[a-z_]+$/.exec(name)?.[0] ?? last}`;
  });
}

/** What an order asks for beside these, by kind, as the contract lists it: mandatory | optional. */
const ASKED = new Map(
  (CONTRACT.split(" Beside these:\n")[1]?.split("\n")[0] ?? "")
    .split(/\. (?=[A-Z])/)
    .map((sentence) => sentence.replaceAll(/ \([^)]*\)/g, "").split(": "))
    .filter(([names = ""]) => names !== "Any other kind")
    .flatMap(([names = "", asked = ""]) => kindsIn(names).map((kind) => [kind, asked] as const)),
);

const ADDRESSES = ["service_address", "billing_address"];
const DOCUMENTS =
  "loa, invoice, csr, proof_of_address, id_document, registration_certificate, allocation_certificate, kbis".split(
    ", ",
  );

const FIELDS = ORDER_KINDS.flatMap(({ country_code, number_type, profile }) =>
  profile.map((field) => [`${country_code} ${number_type} ${field.slug}`, field] as const),
);

function slugsOf(kind: string, isMandatory: boolean): string[] {
  const [country = "", type = ""] = kind.split(" ");
  const asked = (profileOf(country, type) ?? []).filter((one) => one.mandatory === isMandatory);
  return asked.map(({ slug }) => slug);
}

/** Mandatory | optional, without what every kind asks for. */
function askedBeside(kind: string): string {
  const base = new Set([...ALWAYS, ...FIXED_LINES]);
  const own = slugsOf(kind, true).filter((slug) => !base.has(slug));
  return [own.join(", "), slugsOf(kind, false).join(", ")].filter((one) => one !== "").join(" | ");
}

describe("the catalogue of requirements", () => {
  it.each([...ASKED])("%s requires %s", (kind, asked) => {
    expect(askedBeside(kind)).toBe(asked);
  });

  it.each(ORDER_KINDS.map((kind) => [kind.country_code, kind.number_type] as const))(
    "%s %s requires the letter and the account holder, and of fixed lines signer and address",
    (country, type) => {
      const expected = type === "mobile" ? ALWAYS : [...ALWAYS, ...FIXED_LINES];
      const asked = slugsOf(`${country} ${type}`, true);
      expect(asked).toEqual(expect.arrayContaining(expected));
      const excess = type === "mobile" ? FIXED_LINES : [];
      expect(asked.filter((slug) => excess.includes(slug))).toEqual([]);
    },
  );

  it("defines a field that a kind no longer asks for, because orders keep what they asked for", () => {
    const former = definitionOf({ country_code: "ES", number_type: "mobile" }, "access_type");
    expect(former?.name).toBe("Type of access");
    const gone = { country_code: "FR", number_type: "shared_cost" };
    expect(definitionOf(gone, "id_document")?.name).toBe("Identity document");
  });

  it("says which numbers can be ported where a kind cannot", () => {
    expect(unsupportedKind({ country_code: "FR", number_type: "shared_cost" })).toBe(
      "Numbers of FR and type shared_cost cannot be ported yet; of FR these can: local, mobile, toll_free, national.",
    );
    expect(unsupportedKind({ country_code: "CH", number_type: "local" })).toBe(
      `Numbers of country CH cannot be ported yet; those of these can: ${COUNTRY_CODES.join(", ")}.`,
    );
  });

  it("has no other kind", () => {
    const kinds = ORDER_KINDS.map((kind) => `${kind.country_code} ${kind.number_type}`);
    expect(kinds.toSorted()).toEqual([...ASKED.keys()].toSorted());
    expect(profileOf("BR", "local")).toBeNull();
    expect(profileOf("GB", "other")).toBeNull();
    expect(definitionOf({ country_code: "GB", number_type: "mobile" }, "rio_code")).toBeNull();
  });

  it("lists a requirement only once in a profile", () => {
    for (const { profile } of ORDER_KINDS) {
      expect(new Set(profile.map(({ slug }) => slug)).size).toBe(profile.length);
    }
  });

  it("has every requirement that an exception may concern in some profile", () => {
    const slugs = new Set(ORDER_KINDS.flatMap(({ profile }) => profile.map(({ slug }) => slug)));
    const named = EXCEPTION_CATALOGUE.flatMap((exception) => exception.slugs);
    expect(named.filter((slug) => !slugs.has(slug))).toEqual([]);
  });

  it("has the document ages that carriers require", () => {
    const { terms } = readCarriers("data/carriers");
    for (const { country_code, number_type, profile } of ORDER_KINDS) {
      const country = terms(country_code, null);
      const ages = new Map(
        profile.map((field) => [field.slug, maxAgeDaysOf(country, number_type, field)]),
      );
      expect(ages.get("loa")).toBeGreaterThanOrEqual(15);
      expect(ages.get("loa")).toBeLessThanOrEqual(90);
      expect(ages.get("entity_name")).toBeNull();
    }
  });
});

describe("a requirement of the catalogue", () => {
  it.each(FIELDS)("%s is complete, for people and for forms", (_name, field) => {
    expect(field.slug).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
    for (const text of [field.name, field.example]) expect(text.trim()).not.toBe("");
    expect(field.description).toMatch(/^[A-Z].{20,240}\.$/);
    expect(fieldTypeOf(field) === "document").toBe(DOCUMENTS.includes(field.slug));
    expect(fieldTypeOf(field) === "address").toBe(ADDRESSES.includes(field.slug));
    const { acceptance_criteria: criteria } = presentDefinition(field, null, "local");
    expect(JSON.parse(JSON.stringify(criteria))).toEqual(criteria);
    expect(Object.keys(criteria)).not.toEqual([]);
    if (field.value.format === "choice") expect(field.value.options.length).toBeGreaterThan(1);
  });

  it.each(FIELDS)("%s is masked or hidden only if it is sensitive", (_name, field) => {
    const expected = { account_number: "masked", pin_passcode: "hidden" }[field.slug] ?? "no";
    expect(field.sensitivity).toBe(expected);
  });
});

describe("a requirement that another one makes unnecessary", () => {
  const number = buildRequirement({
    slug: "account_number",
    has_value: false,
    unless: "birth_date",
  });
  const birth = buildRequirement({ slug: "birth_date", mandatory: false });
  const isMandatory = (born: boolean) =>
    asMandatoryNow([number, { ...birth, has_value: born }]).map(({ mandatory }) => mandatory);

  it("is mandatory until that one is given, and again once it is cleared (AU mobile, prepaid)", () => {
    expect(isMandatory(false)).toEqual([true, false]);
    expect(isMandatory(true)).toEqual([false, false]);
    const au = profileOf("AU", "mobile")?.find(({ slug }) => slug === "account_number");
    expect(au).toMatchObject({ mandatory: true, unless: "birth_date" });
  });
});
