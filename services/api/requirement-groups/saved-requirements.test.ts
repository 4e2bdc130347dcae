import { describe, expect, it } from "@jest/globals";
import { buildOrder, buildRequirement } from "../../../test/support/orders/order-factory.ts";
import {
  findSavedFaults,
  savedDocuments,
  savedOf,
  savedRequirements,
  withSaved,
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

  it.each(["loa", "account_number", "pin_passcode", "rio_code", "pac_code", "icc_id", "shoe_size"])(
    "is not %s, which belongs to an order, a number or nothing",
    (slug) => {
      expect(faultsOf({ [slug]: "1234" })).toEqual([`#/requirements/${slug} unknown_requirement`]);
    },
  );

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

describe("a group that orders name", () => {
  it("gives what they ask for, where the request itself gives nothing", () => {
    const order = buildOrder({
      requirements: ["entity_name", "auth_person_name"].map((slug) => buildRequirement({ slug })),
    });
    const saved = { entity_name: "Acme", auth_person_name: "Grace Hopper", tax_id: "B12345674" };
    const given = { auth_person_name: "Ada Lovelace" };
    expect(withSaved(given, saved, [order])).toEqual({ entity_name: "Acme", ...given });
  });
});
