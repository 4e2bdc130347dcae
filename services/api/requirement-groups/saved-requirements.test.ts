import { describe, expect, it } from "@jest/globals";
import {
  findSavedFaults,
  savedDocuments,
  savedOf,
  savedRequirements,
} from "./saved-requirements.ts";

const now = new Date("2026-11-28T12:00:00.000Z");
const UPLOAD = "01890000-0000-7000-8000-000000000001";

function faultsOf(saved: Record<string, string>): string[] {
  const uploads = new Map([[UPLOAD, {}]]);
  return findSavedFaults(saved, { uploads, now }).map(
    ({ pointer, code }) => `${pointer ?? ""} ${code}`,
  );
}

describe("what is saved of a holder", () => {
  it("is what every order that asks for it takes, or some of them", () => {
    const address = "350 5th Ave\nNew York\nNY 10118\nUS";
    const german = "Musterstr. 1\nBerlin\n10115\nDE";
    for (const service_address of [address, german]) {
      const texts = { entity_name: "Acme", service_address, tax_id: "B12345674" };
      expect(faultsOf({ ...texts, birth_date: "1980-05-17", id_document: UPLOAD })).toEqual([]);
    }
  });

  it("is refused where no order would take it, each value with its fault", () => {
    const wrong = {
      entity_name: "A\u0000",
      birth_date: "2999-01-01",
      tax_id: "1",
      invoice: "01890000-0000-7000-8000-000000000002",
    };
    expect(faultsOf(wrong)).toEqual([
      "#/requirements/entity_name invalid_characters",
      "#/requirements/birth_date invalid_date",
      "#/requirements/tax_id invalid_format",
      "#/requirements/invoice unknown_document",
    ]);
  });

  it.each([
    "loa",
    "account_number",
    "pin_passcode",
    "rio_code",
    "pac_code",
    "icc_id",
    "billing_phone_number",
    "shoe_size",
  ])("is not %s, which belongs to an order, a number or nothing", (slug) => {
    expect(faultsOf({ [slug]: "1234" })).toEqual([`#/requirements/${slug} unknown_requirement`]);
  });

  it("is told in its own country's words what is wrong with an address", () => {
    const detailOf = (service_address: string) =>
      findSavedFaults({ service_address }, { uploads: new Map(), now })[0]?.detail;
    expect(detailOf("350 5th Ave\nNew York\nNY 1011\nUS")).toMatch(/ZIP code/);
    expect(detailOf("Ring 1\nWien\n1010\nAT")).toMatch(/^No kind of order takes it/);
  });

  it("is at most 64 values, whatever they are", () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`slug_${n}`, "x"]));
    const { error } = savedRequirements.safeParse(many);
    expect(error?.issues).toMatchObject([{ params: { code: "too_many" } }]);
  });

  it("has documents by their ids", () => {
    expect(savedDocuments({ entity_name: "Acme", invoice: UPLOAD })).toEqual([UPLOAD]);
  });

  it("is at least one value", () => {
    const { error } = savedRequirements.safeParse({});
    expect(error?.issues).toMatchObject([{ code: "custom", params: { code: "required" } }]);
  });

  it("is of an order's values what belongs to its holder", () => {
    const value = (slug: string, text: string | null, phone_number: string | null = null) => {
      return { slug, phone_number, value: text, document_id: null };
    };
    const values = [
      value("entity_name", "Acme"),
      value("service_address", null),
      value("account_number", "8772"),
      value("rio_code", "P1", "+33612345678"),
    ];
    expect(savedOf(values)).toEqual({ entity_name: "Acme" });
  });
});
