import { describe, expect, it } from "@jest/globals";
import { EXCEPTION_CATALOGUE } from "../../order/rules/exception-catalogue.ts";
import { definitionOf, ORDER_KINDS, profileOf } from "./catalogue.ts";
import { presentDefinition } from "../answers/present-requirement.ts";
import { fieldTypeOf, maxAgeDaysOf } from "../../countries/fields/requirement-definition.ts";

/** The requirements of an order (docs/contract/customer-api.md, Porting orders): mandatory | optional. */
const ASKED: Readonly<Record<string, string>> = {
  "US local, CA local":
    "loa, invoice, entity_name, auth_person_name, service_address, account_number, billing_phone_number | pin_passcode, csr, port_type, new_billing_phone_number",
  "US mobile, CA mobile": "loa, entity_name, account_number, pin_passcode, postal_code | invoice",
  "US toll_free, CA toll_free": "loa, invoice, entity_name, auth_person_name, service_address",
  "GB local":
    "loa, invoice, losing_carrier, line_type, billing_phone_number, service_address | associated_numbers",
  "GB national, GB toll_free": "loa, invoice, account_number",
  "GB mobile": "loa, invoice, pac_code",
  "FR local, FR national, FR toll_free":
    "loa, invoice, rio_code, proof_of_address | siret, kbis, id_document, port_type",
  "FR mobile": "loa, rio_code",
  "DE local, DE national": "loa, invoice, proof_of_address, id_document | registration_certificate",
  "DE toll_free, DE shared_cost": "loa, allocation_certificate | invoice",
  "ES local, ES mobile, ES toll_free, ES national, ES shared_cost":
    "loa, invoice, tax_id, access_type",
  "AU local, AU mobile, AU toll_free, AU national, AU shared_cost":
    "loa, invoice, account_number, id_document",
};

const DOCUMENTS =
  "loa, invoice, csr, proof_of_address, id_document, registration_certificate, allocation_certificate, kbis".split(
    ", ",
  );

const FIELDS = ORDER_KINDS.flatMap(({ country_code, number_type, profile }) =>
  profile.map((field) => [`${country_code} ${number_type} ${field.slug}`, field] as const),
);

function askedOf(kind: string): string {
  const [country = "", type = ""] = kind.split(" ");
  const profile = profileOf(country, type) ?? [];
  const slugs = (mandatory: boolean): string =>
    profile.flatMap((field) => (field.mandatory === mandatory ? [field.slug] : [])).join(", ");
  return [slugs(true), slugs(false)].filter((part) => part !== "").join(" | ");
}

describe("the catalogue of requirements", () => {
  it.each(
    Object.entries(ASKED).flatMap(([kinds, asked]) =>
      kinds.split(", ").map((kind) => [kind, asked] as const),
    ),
  )("%s requires %s", (kind, asked) => {
    expect(askedOf(kind)).toBe(asked);
  });

  it("has no other kind", () => {
    const kinds = ORDER_KINDS.map((kind) => `${kind.country_code} ${kind.number_type}`);
    expect(kinds.toSorted()).toEqual(Object.keys(ASKED).join(", ").split(", ").toSorted());
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
    const ages = new Map(FIELDS.map(([, field]) => [field.slug, maxAgeDaysOf(field)]));
    expect(Object.fromEntries([...ages].filter(([, days]) => days !== null))).toEqual({
      loa: 30,
      invoice: 30,
      proof_of_address: 90,
    });
  });
});

describe("a requirement of the catalogue", () => {
  it.each(FIELDS)("%s is complete, for people and for forms", (_name, field) => {
    expect(field.slug).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
    for (const text of [field.name, field.example]) expect(text.trim()).not.toBe("");
    expect(field.description).toMatch(/^[A-Z].{20,240}\.$/);
    expect(fieldTypeOf(field) === "document").toBe(DOCUMENTS.includes(field.slug));
    expect(fieldTypeOf(field) === "address").toBe(field.slug === "service_address");
    const { acceptance_criteria: criteria } = presentDefinition(field);
    expect(JSON.parse(JSON.stringify(criteria))).toEqual(criteria);
    expect(Object.keys(criteria ?? {})).not.toEqual([]);
    if (field.value.format === "choice") expect(field.value.options.length).toBeGreaterThan(1);
  });

  it.each(FIELDS)("%s is masked or hidden only if it is sensitive", (_name, field) => {
    const expected = { account_number: "masked", pin_passcode: "hidden" }[field.slug] ?? "no";
    expect(field.sensitivity).toBe(expected);
  });
});
