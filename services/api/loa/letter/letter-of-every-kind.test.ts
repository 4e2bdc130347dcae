import { beforeAll, describe, expect, it } from "@jest/globals";
import { buildOrder, buildRequirement } from "../../../../test/support/orders/order-factory.ts";
import { exampleNumberOf } from "../../../../test/support/orders/example-numbers.ts";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import {
  fieldTypeOf,
  type RequirementDefinition,
} from "../../../domain/countries/fields/requirement-definition.ts";
import { loaContentOf } from "../../../domain/order/rules/loa-content.ts";
import { maskValue } from "../../../domain/requirement/rules/requirement.ts";
import { ORDER_KINDS, type OrderKind } from "../../../domain/requirement/rules/catalogue.ts";
import { letterFormOf } from "../../../domain/terms/rules/letter-terms.ts";
import { printLoa } from "./render-loa.ts";

const SIGNED_AT = new Date("2026-11-21T07:22:10.123Z");
const NUMBERS = 40;

function shownOf({ example, sensitivity, ...field }: RequirementDefinition): string | null {
  return fieldTypeOf({ example, sensitivity, ...field }) === "document"
    ? null
    : maskValue(example, sensitivity);
}

/** An order of the kind with every field filled, and as many numbers as need a schedule. */
function orderOf({ country_code, number_type, profile }: OrderKind) {
  const first = exampleNumberOf(country_code, number_type);
  const numbers = Array.from({ length: NUMBERS }, (_, n) => ({
    phone_number: `${first.slice(0, -2)}${String(n).padStart(2, "0")}`,
    status: "pending" as const,
    failure_code: null,
    activated_at: null,
  }));
  const requirements = profile.map((definition) =>
    buildRequirement({
      slug: definition.slug,
      field_type: fieldTypeOf(definition),
      mandatory: definition.mandatory,
      has_value: shownOf(definition) !== null,
      shown_value: shownOf(definition),
    }),
  );
  return buildOrder({
    country_code,
    number_type,
    losing_carrier: "Losing Telecom plc",
    numbers,
    requirements,
  });
}

async function signedLetterOf(kind: OrderKind) {
  const order = orderOf(kind);
  const answer = await printLoa({
    content: loaContentOf(order),
    carrier: { name: "New Carrier Inc.", respOrgId: "NCI01" },
    form: letterFormOf(null, null),
    signature: {
      signer_name: "Grace Hopper",
      signer_title: "Director",
      signed_at: SIGNED_AT,
      image: null,
    },
    printedAt: SIGNED_AT,
  });
  if (answer.kind === "bad_image") throw new Error(answer.fault.detail);
  const pages = textOfPdf(answer.pdf).map((page) => page.replaceAll(/\s+/g, " "));
  const { pageTexts } = answer;
  return { order, pages, pageTexts, text: pages.join(" "), source: answer.pdf.toString("latin1") };
}

const exampleOf = ({ profile }: OrderKind, slug: string): string | undefined =>
  profile.find((field) => field.slug === slug)?.example;

const oneLine = (text: string): string => text.replaceAll("\n", ", ");

/** The list that losing carriers hold a letter to: 47 CFR 64.1130 (b) to (e), and what the trade asks for beside it. */
describe.each(
  ORDER_KINDS.map((kind) => [`${kind.country_code} ${kind.number_type}`, kind] as const),
)("the signed letter of %s", (_name, kind) => {
  let letter: Awaited<ReturnType<typeof signedLetterOf>>;

  beforeAll(async () => {
    letter = await signedLetterOf(kind);
  });

  it("names the account holder, and the address and the authorized person of a fixed line", () => {
    const { text } = letter;
    expect(text).toContain(`Account holder ${exampleOf(kind, "entity_name") ?? "?"}`);
    const isMobile = kind.number_type === "mobile";
    for (const slug of ["service_address", "auth_person_name"]) {
      const example = exampleOf(kind, slug);
      expect(example === undefined).toBe(isMobile);
      if (example !== undefined) expect(text).toContain(oneLine(example));
    }
  });

  it("states losing carrier, account and line as the order has them, and no PIN", () => {
    const { text } = letter;
    const stated = kind.profile.filter((field) => field.letter !== undefined);
    for (const field of stated) {
      expect(text).toContain(field.name);
      expect(text).toContain(oneLine(shownOf(field) ?? "?"));
    }
    expect(text).toContain(exampleOf(kind, "losing_carrier") ?? "Losing Telecom plc");
    expect(text).not.toContain("PIN or passcode");
    expect(text).not.toContain("not provided");
  });

  it("lists every number", () => {
    const { order, text } = letter;
    expect(text).toContain(`TELEPHONE NUMBERS TO TRANSFER (${NUMBERS})`);
    for (const { phone_number } of order.numbers) expect(text).toContain(phone_number);
  });

  it("declares decision, agent, one provider for each number and possible fees, and nothing else", () => {
    const { text } = letter;
    for (const part of [
      "I am the account holder named in this letter, or I am authorized to act",
      "It is my decision that New Carrier Inc. becomes the provider",
      "I appoint New Carrier Inc. as my agent",
      "only one preferred provider for each telecommunications service",
      "may charge a fee for this change, and that I may ask New Carrier Inc.",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/\b(discount|gift|prize|bonus|credit|free of charge|offer)\b/i);
    const isRespOrg = kind.number_type === "toll_free" && ["US", "CA"].includes(kind.country_code);
    expect(text.includes("RespOrg ID NCI01")).toBe(isRespOrg);
  });

  it("is signed and dated with name and title, on pages that are signed and numbered", () => {
    const { pages, text } = letter;
    for (const part of [
      "Letter of Authorization",
      "Name in print Grace Hopper",
      "Title Director",
      "Date 21 November 2026",
      "Grace Hopper agreed to sign this letter by electronic means",
    ]) {
      expect(text).toContain(part);
    }
    for (const [n, page] of pages.entries()) {
      expect(page).toContain(`Page ${n + 1} of ${pages.length}`);
      expect(page).toContain(
        "Signed electronically on 21 November 2026, 07:22:10 UTC by Grace Hopper",
      );
    }
    expect(text).not.toContain("PREVIEW");
  });

  it("is kept as text that says on each page what the page shows", () => {
    const { pages, pageTexts } = letter;
    expect(pageTexts).toHaveLength(pages.length);
    for (const [n, kept] of pageTexts.entries()) {
      for (const line of kept.split("\n")) {
        expect(pages[n]).toContain(line.replaceAll(/\s+/g, " ").trim());
      }
    }
    const kept = pageTexts.join("\n");
    for (const { phone_number } of letter.order.numbers) expect(kept).toContain(phone_number);
    expect(kept).toContain("Name in print\nGrace Hopper");
  });

  it("can neither be filled in nor needs a password to be read", () => {
    const { source } = letter;
    expect(source).not.toContain("/AcroForm");
    expect(source).not.toContain("/Encrypt");
  });
});
