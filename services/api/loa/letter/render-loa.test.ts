import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { drawnSignature } from "../../../../test/support/documents/png-factory.ts";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import type { LoaContent } from "../../../domain/order/rules/loa-content.ts";
import { letterFormOf } from "../../../domain/terms/rules/letter-terms.ts";
import { printLoa, type PrintJob } from "./render-loa.ts";

const PLAIN = letterFormOf(null, null);

const AT = new Date("2026-11-21T07:22:10.123Z");
const NAME = "Łódź Straße Ελληνικά Кириллица O’Neill & d'Été";

const field = (slug: string, value: string | null) => ({ slug, label: `Label of ${slug}`, value });

const content: LoaContent = {
  order_id: "01a1fc57-b585-7195-84b0-011dca65599f",
  country_code: "US",
  number_type: "local",
  customer: [
    field("entity_name", NAME),
    field("auth_person_name", null),
    field("service_address", "350 5th Ave Suite 300\nNew York\nNY 10118\nUS"),
  ],
  service: [field("losing_carrier", "Verizon"), field("account_number", "****0210")],
  phone_numbers: ["+12125551234", "+12125551235"],
};

const signature = {
  signer_name: "Grace Hopper",
  signer_title: "Director",
  signed_at: AT,
  image: drawnSignature(),
};

const job = (fields: Partial<PrintJob> = {}): PrintJob => ({
  content,
  carrier: { name: "New Carrier Inc.", respOrgId: null },
  form: PLAIN,
  signature: "preview",
  printedAt: AT,
  ...fields,
});

async function print(fields: Partial<PrintJob> = {}) {
  const answer = await printLoa(job(fields));
  if (answer.kind === "bad_image") throw new Error(answer.fault.detail);
  return { ...answer, pages: textOfPdf(answer.pdf).map((page) => page.replaceAll(/\s+/g, " ")) };
}

const numbers = (count: number) =>
  Array.from({ length: count }, (_, n) => `+1212555${String(1_000 + n)}`);

/** Any code point but a lone surrogate; fast-check's own arbitrary for this builds a table of all of them first. */
const character = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

describe("a letter of authorization as a PDF", () => {
  it("contains its content as searchable text", async () => {
    const { pages, unprintable } = await print({ signature });
    expect(pages).toHaveLength(1);
    for (const text of [
      NAME,
      "350 5th Ave Suite 300, New York, NY 10118, US",
      "****0210",
      "+12125551234",
      "+12125551235",
      "New Carrier Inc. as my agent",
      "Grace Hopper agreed to sign this letter",
      "Director",
      "21 November 2026, 07:22:10 UTC",
      content.order_id,
      "Page 1 of 1",
    ]) {
      expect(pages[0]).toContain(text);
    }
    expect(pages[0]).not.toContain("PREVIEW");
    expect(unprintable).toEqual([]);
  });

  it("has the same bytes for the same letter and instant, and different bytes for another", async () => {
    const [first, second] = [await print({ signature }), await print({ signature })];
    expect(first.pdf.equals(second.pdf)).toBe(true);
    const other = { ...signature, image: drawnSignature(300, 90) };
    expect(first.pdf.equals((await print({ signature: other })).pdf)).toBe(false);
  });

  it("lists 1,000 numbers on pages that each have a heading, numbers and a page number", async () => {
    const { pages } = await print({ content: { ...content, phone_numbers: numbers(1_000) } });
    expect(pages).toHaveLength(6);
    expect(pages[0]).toContain("All 1000 numbers are listed in Schedule A");
    for (const [n, page] of pages.entries()) {
      expect(page).toContain("UNSIGNED PREVIEW");
      expect(page).toContain(`Page ${n + 1} of 6`);
      if (n > 0) expect(page).toContain("SCHEDULE A TELEPHONE NUMBERS");
    }
    const listed = pages
      .slice(1)
      .join(" ")
      .match(/\+1212555\d{4}/g);
    expect(listed).toEqual(numbers(1_000));
  });

  it("marks a preview on every page and shows what is still missing", async () => {
    const { pages, pdf } = await print();
    expect(pages[0]).toContain("UNSIGNED PREVIEW");
    expect(pages[0]).toContain("not provided yet");
    expect(pages[0]).toContain("not signed");
    expect(pdf.toString("latin1")).toContain("(unsigned preview\\)");
  });

  it.each([
    [24, 1],
    [25, 2],
    [265, 3],
  ])("of %d numbers has %d pages", async (count, expected) => {
    const { pages } = await print({
      signature,
      content: { ...content, phone_numbers: numbers(count) },
    });
    expect(pages).toHaveLength(expected);
    expect(pages.join(" ").match(/\+1212555\d{4}/g)).toEqual(numbers(count));
  });

  it("shows names of 128 letters whole, on every page the date of the signature", async () => {
    const long = "Wissenschaftliche Verwaltungsgesellschaft ".repeat(3).slice(0, 128).trim();
    const { pages } = await print({
      content: { ...content, phone_numbers: numbers(30), customer: [field("entity_name", long)] },
      carrier: { name: long, respOrgId: null },
      signature: { ...signature, signer_name: long, signer_title: long },
    });
    const [first = ""] = pages;
    expect(first.split(long).length - 1).toBeGreaterThan(6);
    expect(first.startsWith(long)).toBe(true);
    for (const page of pages) {
      expect(page).toContain("Signed electronically on 21 November 2026, 07:22:10 UTC by Wiss");
    }
  });

  it.each([
    ["École de danse", "EON Energie"],
    ["Ẑita Ẍenia", "Zita Xenia"],
    ["Ἀθηνᾶ Ѐва", "Α А E Ε Е"],
  ])("with %s leaves the text of later letters whole: %s", async (...names) => {
    for (const name of names) {
      const { pages } = await print({
        content: { ...content, customer: [field("entity_name", name)] },
        signature: { ...signature, signer_name: name },
      });
      expect(pages[0]).toContain(`Label of entity_name ${name}`);
      expect(pages[0]).toContain(`${name} agreed to sign`);
    }
  });

  it.each([
    ["Chinese", "漢字"],
    ["Hebrew, which is read from the right", "שלום"],
    ["Arabic, whose letters join", "شركة ABC"],
    ["Lao, whose vowels stand over letters", "ບໍລິສັດ"],
    ["a line of an address in another script", "12 Main St\nתל אביב\nUS"],
    ["an accent that no letter has", "Yẹ́misi M̃"],
    ["letters that only one of the fonts has", "𝖠𝖼𝗆𝖾"],
  ])("reports a value in %s, and says so in a preview", async (_script, value) => {
    const unshown = { ...content, customer: [field("entity_name", value), field("siret", "1")] };
    const signed = await print({
      content: unshown,
      signature: { ...signature, signer_name: "王" },
    });
    expect(signed.unprintable).toEqual(["entity_name", "signer_name"]);
    const { pages, unprintable } = await print({ content: unshown });
    expect(unprintable).toEqual(["entity_name"]);
    expect(pages[0]).toContain("Label of entity_name cannot be shown here: upload your own letter");
    expect(pages[0]).not.toContain(value);
  });

  it.each([
    "Łódź Straße Ελληνικά Кириллица Հայերեն ქართული O’Neill & d'Été",
    "Zoe\u0308 Nguye\u0302\u0303n Thị Kılıç Ştefan · № 5 – “Élan” €™½ ☎ +1 (212)…",
  ])("shows every character of %s", async (name) => {
    const { pages, unprintable } = await print({
      content: { ...content, customer: [field("entity_name", name)] },
      signature: { ...signature, signer_name: name },
    });
    expect(unprintable).toEqual([]);
    expect(pages[0]).toContain(`Label of entity_name ${name.normalize("NFC")}`);
  });

  it("refuses a damaged signature image before drawing it, with every value that it cannot show", async () => {
    const image = drawnSignature().subarray(0, -20);
    const drawn = { ...signature, signer_title: "王", image };
    expect(await printLoa(job({ signature: drawn }))).toMatchObject({
      kind: "bad_image",
      fault: { code: "invalid_image" },
      unprintable: ["signer_title"],
    });
  });

  it("can be rendered from any text", async () => {
    const text = fc.string({ unit: character, minLength: 1, maxLength: 128 });
    await fc.assert(
      fc.asyncProperty(text, text, async (name, title) => {
        const { pages } = await print({
          content: { ...content, customer: [field("entity_name", name)] },
          signature: { ...signature, signer_name: name, signer_title: title, image: null },
        });
        expect(pages.length).toBeGreaterThan(0);
      }),
      { numRuns: 15 },
    );
  });
});
