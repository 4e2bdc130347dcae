import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { numberParts } from "./national-number.ts";
import { findValues, wantedIn, type Wanted } from "./find-values.ts";

function phone(number: string): Wanted {
  return { what: "phone_number", number, parts: numberParts(number) };
}

/** The first page on which the value is; 0 where it is on none. */
function pageOf(wanted: Wanted, ...pages: string[]): number {
  const [found] = findValues({ pages, isWhole: true }, [wanted]);
  return found?.page ?? 0;
}

describe("findValues: a phone number", () => {
  it.each([
    ["+12125550123", "+1 (212) 555-0123"],
    ["+12125550123", "Line: 212.555.0123, 212.555.0124"],
    ["+12125550123", "2125550123"],
    ["+12125550123", "1-212-555-0123"],
    ["+12125550123", "\uff12\uff11\uff12 555 0123"],
    ["+12125550123", "212\u2011555\u20110123"],
    ["+4930123456", "Tel. +49 (0)30 / 123456"],
    ["+4930123456", "0049 30 12 34 56"],
    ["+4930123456", "030 123-456"],
    ["+33142685300", "01 42 68 53 00"],
    ["+442079460958", "020 7946 0958"],
  ])("%s is found as %s", (number, text) => {
    expect(pageOf(phone(number), "another page", text)).toBe(2);
  });

  it.each([
    ["+12125550123", "212-555-0124"],
    ["+12125550123", "21255501234"],
    ["+12125550123", "92125550123"],
    ["+12125550123", "212-555-\n\n\n\n0123"],
    ["+12125550123", "212a5550123"],
    ["+4930123456", "030 1234567"],
  ])("%s is not found in %s", (number, text) => {
    expect(pageOf(phone(number), text)).toBe(0);
  });

  it("is found among others, on its first page, however it is grouped", () => {
    const nationals = fc.uniqueArray(fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }), {
      minLength: 1,
      maxLength: 30,
    });
    const separator = fc.constantFrom("", " ", "-", ".", ") ", " - ");
    const prefix = fc.constantFrom("", "+1 ", "1-", "001 ");
    fc.assert(
      fc.property(nationals, separator, prefix, (given, between, before) => {
        const texts = given.map((national) => {
          const digits = String(national);
          const groups = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
          return before + groups.join(between);
        });
        const wanted = given.map((national) => phone(`+1${national}`));
        const pages = texts.map((_, n) => texts.slice(0, n + 1).join("\n"));
        const found = findValues({ pages, isWhole: true }, wanted);
        expect(found.map(({ page }) => page)).toEqual(given.map((_, n) => n + 1));
        const none = findValues({ pages: ["no number 5"], isWhole: true }, wanted);
        expect(none.every((one) => one.found === false)).toBe(true);
      }),
    );
  });

  it("is looked for in linear time, in a page that is one number as in any other", () => {
    const wanted = Array.from({ length: 2_000 }, (_, n) => phone(`+1${2_125_550_000 + n}`));
    const startedAt = process.cpuUsage().user;
    const pages = ["1".repeat(400_000), "1 ".repeat(200_000), "2125559999 ".repeat(40_000)];
    findValues({ pages, isWhole: true }, wanted);
    expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(5_000);
  });
});

describe("findValues: a name", () => {
  const name = (value: string): Wanted => ({ what: "entity_name", value });

  it.each([
    ["Acme GmbH & Co. KG", "ACME  GmbH and Co KG"],
    ["Zoë Müller", "ZOE MULLER"],
    ["Straße AG", "STRASSE AG"],
    ["O'Neil Ltd.", "for: O\u2019Neil Ltd"],
    ["Ada Byron", "Signed by A D A\nB Y R O N"],
    ["Łukasz Søren", "lukasz soren"],
  ])("%s is found as %s", (value, text) => {
    expect(pageOf(name(value), text)).toBe(1);
  });

  it.each([
    ["Ann Lee", "Joann Leeds"],
    ["Acme Inc", "Acme"],
    ["--", "anything"],
  ])("%s is not found in %s", (value, text) => {
    expect(pageOf(name(value), text)).toBe(0);
  });

  it("is found whatever its case, accents and spaces", () => {
    const words = fc.array(fc.stringMatching(/^[a-zà-öù-ý]{1,8}$/), {
      minLength: 1,
      maxLength: 4,
    });
    const writing = fc.record({
      between: fc.constantFrom(" ", "\n", "   ", ", "),
      around: fc.string(),
      isUpper: fc.boolean(),
    });
    fc.assert(
      fc.property(words, writing, (given, { between, around, isUpper }) => {
        const text = given.join(between).normalize("NFD");
        const written = isUpper ? text.toUpperCase() : text;
        expect(pageOf(name(given.join(" ")), `${around} ${written} ${around}`)).toBe(1);
      }),
    );
  });
});

describe("findValues: an address and an account number", () => {
  const address = (value: string): Wanted => ({ what: "service_address", value });
  const US = "123 North Main Street\nNew York\nNY 10001\nUS";

  it.each([
    [US, "123 N. Main St., Suite 4, New York, NY 10001-1234"],
    [US, "NEW YORK 10001\n123 NORTH MAIN STREET"],
    ["Hauptstraße 5\nBerlin\n10115\nDE", "5, Hauptstr. 10115 Berlin"],
    ["10 Downing Street\nLondon\nSW1A 2AA\nGB", "10 Downing St, London SW1A2AA"],
    ["5 High Street\nCork\n\nIE", "5 High St, Cork"],
  ])("%j is found in %j", (value, text) => {
    expect(pageOf(address(value), text)).toBe(1);
  });

  it.each([
    [US, "123 North Main Street, New York"],
    [US, "124 North Main Street, NY 10001"],
    [US, `123 ${"other ".repeat(9)} north main street 10001`],
    [US, "123 North Main Street 100012"],
  ])("%j is not found in %j", (value, text) => {
    expect(pageOf(address(value), text)).toBe(0);
  });

  it("finds an account number whole only, and masked where that is how it is stated", () => {
    const account = { what: "account_number", value: "AB-123 456" } as const;
    expect(pageOf(account, "Account: ab123456.")).toBe(1);
    expect(pageOf(account, "Account: AB-1234567")).toBe(0);
    expect(pageOf(account, "Account: ****3456")).toBe(0);
    expect(pageOf({ ...account, orAs: "****3456" }, "Account: ****3456")).toBe(1);
  });
});

describe("findValues: a document whose text is not all known", () => {
  const signer: Wanted = { what: "signer", value: "Ada" };
  const nothing = { what: "signer", number: null, found: null, page: null };

  it("reports nothing where it has no text", () => {
    expect(findValues({ pages: ["", " \n"], isWhole: true }, [signer])).toEqual([nothing]);
    expect(findValues({ pages: [], isWhole: true }, [signer])).toEqual([nothing]);
  });

  it("reports what its known part contains, and nothing about the rest", () => {
    expect(findValues({ pages: ["Bob"], isWhole: false }, [signer])).toEqual([nothing]);
    expect(findValues({ pages: ["Ada"], isWhole: false }, [signer])).toMatchObject([
      { found: true, page: 1 },
    ]);
  });
});

describe("wantedIn", () => {
  const values = new Map([
    ["entity_name", "Acme"],
    ["service_address", "1 Main St\nX\nNY 10001\nUS"],
    ["account_number", "12345678"],
    ["auth_person_name", "Ada Byron"],
  ]);
  const order = { phoneNumbers: ["+12125550123"], values };
  const whats = (slug: string) => wantedIn(slug, order).map(({ what }) => what);

  it("names what a good document of the kind states", () => {
    expect(whats("loa")).toEqual([
      "phone_number",
      "entity_name",
      "service_address",
      "account_number",
      "signer",
    ]);
    expect(whats("invoice")).not.toContain("signer");
    expect(whats("proof_of_address")).toEqual(["entity_name", "service_address"]);
    expect(whats("id_document")).toEqual(["signer"]);
  });

  it("leaves out what the order has no value for, and masks in the letter alone", () => {
    expect(wantedIn("id_document", { ...order, values: new Map() })).toEqual([]);
    const accountIn = (slug: string) =>
      wantedIn(slug, order).find(({ what }) => what === "account_number");
    expect(accountIn("loa")).toEqual({
      what: "account_number",
      value: "12345678",
      orAs: "****5678",
    });
    expect(accountIn("invoice")).toEqual({ what: "account_number", value: "12345678" });
  });
});
