import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { buildOrder, buildRequirement } from "../../../test/support/orders/order-factory.ts";
import { rioOf } from "../../domain/countries/fr.ts";
import type { Upload } from "../../domain/document/rules/document.ts";
import { emptyNumberValue, withValues } from "../../domain/requirement/rules/number-values.ts";
import { findBodyFaults } from "../../platform/http/body/find-faults.ts";
import { createSecretBox } from "../../platform/secret-box.ts";
import {
  findUnaskedFaults,
  givenRequirements,
  readGiven,
  signatureIn,
  type GivenRequirements,
} from "./given-requirements.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const box = createSecretBox([randomBytes(32)]);
const UPLOAD = "01890000-0000-7000-8000-000000000001";
const upload: Upload = {
  id: UPLOAD,
  account_id: "01890000-0000-7000-8000-000000000002",
  order_id: null,
  slug: "document",
  content_type: "application/pdf",
  size_bytes: 5,
  sha256: "0".repeat(64),
  created_at: now,
  document_date: new Date("2026-11-20T12:00:00.000Z"),
};
const order = buildOrder({
  requirements: [
    buildRequirement({ slug: "entity_name", has_value: false }),
    buildRequirement({ slug: "account_number", has_value: false }),
    buildRequirement({ slug: "invoice", field_type: "document", has_value: false }),
    buildRequirement({ slug: "csr", field_type: "document", has_value: false, max_age_days: 0 }),
    buildRequirement({ slug: "loa", field_type: "document", has_value: false }),
  ],
});
const SIGNATURE = { signer_name: "Grace Hopper", consent: true } as const;

function read(given: GivenRequirements) {
  const context = { uploads: new Map([[UPLOAD, upload]]), box, now };
  const { fields, faults } = readGiven(given, order, context);
  return {
    fields: fields.map(({ slug, content }) => [slug, content.kind]),
    faults: faults.map(({ pointer, code }) => `${pointer ?? ""} ${code}`),
  };
}

describe("the requirements of a request", () => {
  it("are values and documents; a signature is left to the letter", () => {
    const given = { entity_name: " Acme ", invoice: UPLOAD, loa: SIGNATURE };
    expect(read(given)).toEqual({
      fields: [
        ["entity_name", "text"],
        ["invoice", "document"],
      ],
      faults: [],
    });
    expect(signatureIn(given, order)).toEqual(SIGNATURE);
    expect(signatureIn(given, buildOrder())).toBeNull();
  });

  it("have all of their faults at once, each named by its path", () => {
    const given = {
      entity_name: "",
      account_number: SIGNATURE,
      invoice: "no id",
      csr: UPLOAD,
      loa: "another",
    };
    expect(read(given)).toEqual({
      fields: [],
      faults: [
        "#/requirements/entity_name required",
        "#/requirements/account_number invalid_type",
        "#/requirements/invoice unknown_document",
        "#/requirements/csr document_too_old",
        "#/requirements/loa unknown_document",
      ],
    });
  });

  it("give each order a document of its own", () => {
    const context = { uploads: new Map([[UPLOAD, upload]]), box, now };
    const [one, other] = [1, 2].map(() => readGiven({ invoice: UPLOAD }, order, context).fields[0]);
    const ids = [one, other].map((field) =>
      field?.content.kind === "document" ? field.content.document_id : null,
    );
    expect(new Set([UPLOAD, ...ids]).size).toBe(3);
    expect(one?.rewritten).toMatchObject([{ stored: { document_id: ids[0] } }]);
  });

  it("seal a value that is sensitive", () => {
    const context = { uploads: new Map<string, Upload>(), box, now };
    const { fields } = readGiven({ account_number: "8772-114-90210" }, order, context);
    expect(fields[0]?.content).toEqual({ kind: "text", shown: "****0210" });
    expect(fields[0]?.rewritten).toMatchObject([{ stored: { value: null } }]);
  });

  it("are refused where no order asks for them, unless there is no order at all", () => {
    const faults = findUnaskedFaults({ entity_name: "Acme", pac_code: "A" }, [order]);
    expect(faults).toMatchObject([
      { pointer: "#/requirements/pac_code", code: "unknown_requirement" },
    ]);
    expect(findUnaskedFaults({ pac_code: "A" }, [])).toEqual([]);
  });

  it("are values by number, each order's own, and faults stand at their numbers", () => {
    const [A, B, C] = ["+33612345601", "+33612345602", "+33612345603"] as const;
    const asked = buildRequirement({ slug: "rio_code", scope: "number", has_value: false });
    const french = buildOrder({
      ...{ country_code: "FR", number_type: "mobile" },
      requirements: [withValues(asked, [A, B].map(emptyNumberValue))],
      numbers: [A, B].map((phone_number) => ({
        ...{ phone_number, failure_code: null, activated_at: null },
        status: "pending",
      })),
    });
    const context = { uploads: new Map<string, Upload>(), box, now };
    const rios = { [A]: rioOf("01P123456", A), [B]: rioOf("01P123456", B), [C]: "01P" };
    const { fields, faults } = readGiven({ rio_code: rios }, french, context);
    expect([fields.map(({ rewritten }) => rewritten.map(({ key }) => key)), faults]).toEqual([
      [[`rio_code${A}`, `rio_code${B}`]],
      [],
    ]);
    const wrong = { rio_code: { [A]: rios[B] } };
    expect(readGiven(wrong, french, context).faults).toMatchObject([
      { pointer: `#/requirements/rio_code/${A}`, code: "rio_mismatch" },
    ]);
    expect(findUnaskedFaults({ rio_code: rios }, [french])).toMatchObject([
      { pointer: `#/requirements/rio_code/${C}`, code: "unknown_number" },
    ]);
    expect(givenRequirements.safeParse({ rio_code: rios }).success).toBe(true);
    expect(givenRequirements.safeParse({ rio_code: { [A]: 5 } }).success).toBe(false);
  });

  it("have a schema whose faults name the part of a signature", () => {
    const body = { loa: { signer_name: "" }, entity_name: 5 };
    const { error } = givenRequirements.safeParse(body);
    const faults = error === undefined ? [] : findBodyFaults(error, body);
    expect(faults.map(({ pointer, code }) => `${pointer ?? ""} ${code}`)).toEqual([
      "#/loa/signer_name required",
      "#/loa/consent required",
      "#/entity_name invalid_value",
    ]);
  });

  it("are at most as many as any order asks for", () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`s${n}`, "x"]));
    expect(givenRequirements.safeParse(many).success).toBe(false);
  });
});
