import { describe, expect, it } from "@jest/globals";
import { COUNTRIES } from "../../../services/domain/countries/countries.ts";
import { presentDefinition } from "../../../services/domain/requirement/answers/requirement-answer.ts";
import { checkValue } from "../../../services/api/requirements/check-value.ts";
import type { Requirement } from "../orders/order-words.ts";
import { addressText, areasOf, partOfFault, partsOf, readAddress } from "./address.ts";
import { changesOf, keptOf, readKept, startOf } from "./changes.ts";
import { documentFaults } from "./documents.ts";
import { attributesOf, attributesOfPart } from "./input-attributes.ts";
import { AS_WRITTEN, groupedAfter, loadPhones } from "./phones.ts";
import { faultsBefore, faultsOfBlocks, faultsOfSigning, signingOf } from "./signing.ts";

const asked = (slug: string, more: Partial<Requirement> = {}): Requirement => ({
  slug,
  name: slug,
  field_type: "text",
  mandatory: true,
  scope: "order",
  status: "requirement-info-pending",
  field_value: null,
  document_date: null,
  check_state: "none",
  ...more,
});

const address = (country: string, value: string | null = null, more = {}): Requirement =>
  asked("service_address", {
    ...{ field_type: "address", acceptance_criteria: { country }, field_value: value, ...more },
  });

const NEW_YORK = "350 5th Ave\nNew York\nNY 10118\nUS";

describe.each([...COUNTRIES])("an address in %s", (country, { types }) => {
  const definition = Object.values(types)
    .flatMap(({ requirements }) => requirements)
    .find(({ slug }) => slug === "service_address");
  const format = definition?.value;

  it("is asked for by parts that make what the service takes", () => {
    if (definition === undefined || format?.format !== "address") throw new Error("no address");
    const read = readAddress(address(country, definition.example));
    for (const { part } of partsOf(country)) expect(read[part]).not.toBe("");
    expect(addressText(read, country)).toBe(definition.example);
  });

  it("names a state where the service needs one, of those that it takes", () => {
    if (definition === undefined || format?.format !== "address") throw new Error("no address");
    const isAsked = partsOf(country).some(({ part }) => part === "area");
    expect(isAsked).toBe(format.area !== null);
    expect(areasOf(country).length > 0).toBe(isAsked);
    const read = readAddress(address(country, definition.example));
    for (const [area] of areasOf(country)) {
      const text = addressText({ ...read, area }, country);
      const context = { phoneNumbers: [], now: new Date() };
      expect(checkValue(definition, text, context)).toEqual({ value: text });
    }
  });
});

describe("a refusal of an address", () => {
  it("is shown at the part that it is about", () => {
    const long = { street: "x", locality: "y".repeat(121), area: "", postalCode: "1" };
    expect(partOfFault("invalid_postal_code", long)).toBe("postalCode");
    expect(partOfFault("too_long", long)).toBe("locality");
    expect(partOfFault("invalid_address", long)).toBe("street");
  });
});

describe("what is saved", () => {
  const changed = (requirement: Requirement, typed: Readonly<Record<string, string>>) =>
    changesOf([requirement], typed, "US");

  it("is what was typed and differs, in the form that the service takes", () => {
    const phone = asked("billing_phone_number", { acceptance_criteria: { format: "E.164" } });
    expect(changed(phone, { billing_phone_number: "(212) 555-7701" }).changes).toEqual([
      { slug: "billing_phone_number", value: "+12125557701" },
    ]);
    const saved = { ...phone, field_value: "+12125557701" };
    expect(changed(saved, { billing_phone_number: "212 555 7701" }).changes).toEqual([]);
    expect(changed(asked("entity_name"), {})).toEqual({ changes: [], faults: {} });
    expect(changed(asked("entity_name"), { entity_name: "  " }).changes).toEqual([]);
  });

  it("keeps a masked value where nothing is typed in its place", () => {
    const masked = asked("account_number", { field_value: "****0210" });
    expect(startOf(masked)).toBe("");
    expect(changed(masked, { account_number: "" })).toEqual({ changes: [], faults: {} });
  });

  it("empties what is optional, and marks what is needed", () => {
    const given = asked("port_type", { field_value: "full" });
    expect(changed({ ...given, mandatory: false }, { port_type: "" }).changes).toEqual([
      { slug: "port_type", value: null },
    ]);
    expect(changed(given, { port_type: "" }).faults).toMatchObject({
      port_type: { code: "required" },
    });
  });

  it("is an address as a whole, and marks each part that it lacks", () => {
    const typed = { "service_address/street": "350 5th Ave", "service_address/locality": "" };
    const { changes, faults } = changed(address("US"), typed);
    expect(changes).toEqual([]);
    const missing = ["locality", "area", "postalCode"].map((part) => `service_address/${part}`);
    expect(Object.keys(faults)).toEqual(missing);
    const saved = address("US", NEW_YORK);
    expect(changed(saved, { "service_address/street": "351 5th Ave" }).changes).toEqual([
      { slug: "service_address", value: NEW_YORK.replace("350", "351") },
    ]);
    expect(changed(saved, { "service_address/street": " 350 5th Ave" }).changes).toEqual([]);
  });
});

describe("what the tab keeps", () => {
  it("is what was typed, without secrets", () => {
    const typed = { pin_passcode: "4711", entity_name: "Acme" };
    expect(keptOf(typed)).toEqual({ entity_name: "Acme" });
    expect(readKept(JSON.stringify({ entity_name: "Acme", other: 1 }))).toEqual({
      entity_name: "Acme",
    });
    for (const text of ["", "null", "{", '"text"']) expect(readKept(text)).toEqual({});
  });
});

describe("a document", () => {
  const invoice = asked("invoice", {
    field_type: "document",
    acceptance_criteria: { content_types: ["image/jpeg"], max_bytes: 1_000, max_age_days: 30 },
  });
  const faults = (size: number, date: string, type = "image/jpeg") =>
    documentFaults([invoice], { invoice: { name: "bill", size, type } }, { "invoice/date": date });

  it("is looked at before it is sent", () => {
    expect(faults(1_000, "2026-11-01")).toEqual({});
    expect(faults(1_000, "")).toMatchObject({ "invoice/date": { code: "required" } });
    expect(faults(1_001, "")).toMatchObject({ invoice: { code: "payload_too_large" } });
    expect(faults(10, "", "image/heic")).toMatchObject({ invoice: { code: "heic" } });
    expect(documentFaults([invoice], {}, {})).toEqual({});
    const ofAnyAge = { ...invoice, acceptance_criteria: {} };
    expect(documentFaults([ofAnyAge], { invoice: { name: "id", size: 1, type: "" } }, {})).toEqual(
      {},
    );
  });
});

describe("a letter that is signed", () => {
  const order = {
    requirements: [asked("auth_person_name", { field_value: "Grace Hopper" }), address("DE")],
  };

  it("is signed by the person of the order, unless another name is typed", () => {
    expect(signingOf(order, {}).name).toBe("Grace Hopper");
    expect(signingOf(order, { auth_person_name: "Ada" }).name).toBe("Ada");
    expect(signingOf(order, { auth_person_name: "Ada", "letter/name": "Bo" }).name).toBe("Bo");
  });

  it("needs a name and a consent", () => {
    expect(Object.keys(faultsBefore({ requirements: [] }, {}))).toEqual([
      "letter/name",
      "letter/consent",
    ]);
    expect(faultsBefore(order, { "letter/consent": "yes" })).toEqual({});
  });

  it("has what is wrong with it shown at the field", () => {
    const detail = "x";
    const sent = [
      { pointer: "#/signer_name", code: "signer_mismatch", detail },
      { pointer: "#/requirements/service_address", code: "unprintable", detail },
      { pointer: "#/elsewhere", code: "odd", detail },
    ];
    expect(faultsOfSigning(sent, order)).toEqual({
      "letter/name": { code: "signer_mismatch", detail },
      "service_address/street": { code: "unprintable", detail },
    });
  });
});

describe("what keeps an order from being sent", () => {
  it("is marked, but for what passes by itself", () => {
    const order = { requirements: [asked("loa"), asked("invoice"), asked("entity_name")] };
    const detail = "It has no value yet.";
    const blocking = [
      { slug: "loa", code: "missing", detail },
      { slug: "invoice", code: "checking", detail },
    ];
    expect(faultsOfBlocks(blocking, order)).toEqual({ "letter/name": { code: "missing", detail } });
  });
});

describe("a phone number", () => {
  it("is shown as its country writes it", async () => {
    const { shown } = await loadPhones();
    expect(shown("+12125557701", "US")).toBe("(212) 555-7701");
    expect(shown("+4930123456", "DE")).toBe("030 123456");
    expect(shown("+33142685300", "FR")).toBe("01 42 68 53 00");
    expect(shown("+33142685300", "DE")).toBe("+33 1 42 68 53 00");
    expect(shown("+12125557701", "XX")).toBe("+1 212 555 7701");
    expect(shown("secret", "DE")).toBe("secret");
  });

  it("is grouped while it is typed at its end, and left alone where it is corrected", async () => {
    const phones = await loadPhones();
    const grouped = (before: string, text: string, isAtEnd = true) =>
      groupedAfter(phones, { before, text, isAtEnd }, "US");
    expect(grouped("212555770", "2125557701")).toBe("(212) 555-7701");
    expect(grouped("(212) 555-770", "(212) 555-77")).toBe("(212) 555-77");
    expect(grouped("(212) 555-770", "(1212) 555-770", false)).toBe("(1212) 555-770");
    expect(grouped("", "unknown")).toBe("unknown");
    expect(groupedAfter(AS_WRITTEN, { before: "", text: "212", isAtEnd: true }, "US")).toBe("212");
  });
});

describe("how a browser helps with a field", () => {
  it("is known for every field whose value is typed", () => {
    const slugs = [...COUNTRIES.values()].flatMap(({ types }) =>
      Object.values(types).flatMap(({ requirements }) =>
        requirements.map((one) => presentDefinition(one, null, "")),
      ),
    );
    for (const { slug } of slugs) expect(attributesOf(slug, "US").enterKeyHint).toBe("done");
  });

  it("is by what is typed there", () => {
    expect(attributesOf("billing_phone_number", "US")).toMatchObject({
      ...{ type: "tel", inputMode: "tel", autoComplete: "tel" },
    });
    expect(attributesOf("postal_code", "US").inputMode).toBe("numeric");
    expect(attributesOf("postal_code", "GB").autoCapitalize).toBe("characters");
    expect(attributesOf("rio_code", "FR")).toMatchObject({ autoCapitalize: "characters" });
    expect(attributesOf("birth_date", "DE")).toMatchObject({ type: "date", autoComplete: "bday" });
    expect(attributesOfPart("locality", "DE").autoComplete).toBe("address-level2");
    expect(attributesOfPart("postalCode", "CA").autoCapitalize).toBe("characters");
  });
});
