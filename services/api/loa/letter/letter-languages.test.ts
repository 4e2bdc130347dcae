import { describe, expect, it } from "@jest/globals";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { readCarriers } from "../../../domain/carrier/read-carriers.ts";
import { COUNTRIES } from "../../../domain/countries/countries.ts";
import type { LoaContent } from "../../../domain/order/rules/loa-content.ts";
import { letterFormOf, type LetterLanguage } from "../../../domain/terms/rules/letter-terms.ts";
import { LETTER_TEXTS } from "./letter-texts.ts";
import { printLoa, type PrintJob } from "./render-loa.ts";

const { terms: termsOf } = readCarriers("data/carriers");

const formOf = (country: string, wished: LetterLanguage | null = null) =>
  letterFormOf(termsOf(country, null), wished);

const content: LoaContent = {
  order_id: "01a1fc57-b585-7195-84b0-011dca65599f",
  country_code: "DE",
  number_type: "local",
  customer: [
    { slug: "entity_name", label: "Account holder", value: "Bäckerei Süß GmbH" },
    { slug: "service_address", label: "Service address", value: "Torstr. 1\nBerlin\n10119\nDE" },
  ],
  service: [
    { slug: "account_number", label: "Account number", value: "****0210", is_masked: true },
  ],
  phone_numbers: ["+493012345678"],
};

const GRACE = { signer_name: "Grace Hopper", signer_title: null, image: null };
const AT = new Date("2026-11-21T07:22:10.123Z");
const SIGNED = { ...GRACE, signed_at: AT };

async function print(fields: Partial<PrintJob>): Promise<string> {
  const carrier = { name: "Neuer Anbieter AG", respOrgId: null };
  const plain = { content, carrier, form: formOf("DE"), signature: SIGNED, printedAt: AT };
  const answer = await printLoa({ ...plain, ...fields });
  if (answer.kind === "bad_image") throw new Error(answer.fault.detail);
  expect(answer.unprintable).toEqual([]);
  return textOfPdf(answer.pdf).join(" ").replaceAll(/\s+/g, " ");
}

describe("the language of a letter", () => {
  it.each<[string, LetterLanguage | null, LetterLanguage]>([
    ["DE", null, "de"],
    ["DE", "en", "de"],
    ["FR", "es", "fr"],
    ["ES", null, "es"],
    ["NL", null, "nl"],
    ["BE", null, "nl"],
    ["BE", "fr", "fr"],
    ["BE", "de", "de"],
    ["BE", "es", "nl"],
    ["CA", "fr", "fr"],
    ["IE", "de", "en"],
    ["GB", null, "en"],
    ["US", "es", "en"],
  ])("for %s, where %s is wished for, is %s", (country, wished, language) => {
    expect(formOf(country, wished).language).toBe(language);
  });

  it("is that of carriers' forms: German, with a place for the stamp of a company", async () => {
    const text = await print({});
    for (const part of [
      "Portierungsauftrag und Vollmacht",
      "Anschlussinhaber Bäckerei Süß GmbH",
      "Kundennummer (letzte 4 Zeichen) ****0210",
      "Ich bevollmächtige Neuer Anbieter AG",
      "Firmenstempel",
      "21. November 2026, 07:22:10 UTC",
      "Grace Hopper hat zugestimmt",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/Account|provider|Letter of Authorization|\{/);
  });

  it("has a letter that is signed by hand without a mark, and without a signature", async () => {
    const text = await print({ signature: "by_hand" });
    expect(text).toContain("von Hand unterschreiben");
    expect(text).not.toMatch(/NICHT UNTERSCHRIEBEN|Vorschau|elektronisch/i);
  });

  it.each(Object.entries(LETTER_TEXTS))("has every place of the English one in %s", (_, texts) => {
    const placesOf = (said: object): string[] =>
      Object.entries(said)
        .filter(([key]) => !["fields", "choices"].includes(key))
        .flatMap(([key, text]: [string, string | object]) =>
          typeof text === "string"
            ? [...new Set([...text.matchAll(/\{\w+\}/g)].map((place) => `${key} ${place[0]}`))]
            : placesOf(text),
        )
        .toSorted();
    expect(placesOf(texts)).toEqual(placesOf(LETTER_TEXTS.en));
  });

  it.each(["DE", "FR", "ES", "NL", "BE"])("has a word for each field and choice of %s", (code) => {
    const { fields, choices } = LETTER_TEXTS[formOf(code).language];
    const stated = Object.values(COUNTRIES.get(code)?.types ?? {})
      .flatMap(({ requirements }) => requirements)
      .filter(({ letter }) => letter !== undefined);
    const options = stated.flatMap(({ slug, value }) =>
      value.format === "choice" ? value.options.map((option) => [slug, option] as const) : [],
    );
    expect(stated.filter(({ slug }) => fields[slug] === undefined).map(({ slug }) => slug)).toEqual(
      [],
    );
    expect(options.filter(([slug, option]) => choices[slug]?.[option] === undefined)).toEqual([]);
  });
});

describe("the billing address, which 47 CFR 64.1130 (e) (1) has in a letter", () => {
  const us = { ...content, country_code: "US" };
  const inUs = (customer: LoaContent["customer"]) =>
    print({ content: { ...us, customer }, form: formOf("US") });
  const [holder, service] = content.customer;

  it("is the order's own, or the service address, or what the current provider has", async () => {
    const own = { slug: "billing_address", label: "Billing address", value: "1 Main St\nReno" };
    const all = [holder, service].flatMap((field) => field ?? []);
    expect(await inUs([...all, own])).toContain("Billing address 1 Main St, Reno");
    expect(await inUs(all)).toContain("Billing address As the service address");
    expect(await inUs(all.slice(0, 1))).toContain("Billing address As the current provider has it");
    expect(await print({ form: formOf("CA") })).not.toContain("Billing address");
  });
});
