import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { COUNTRIES } from "../../../services/domain/countries/countries.ts";
import { LANGUAGES, languageOf, localeOf, listText, sizeText } from "./language.ts";

const OTHERS = Object.keys(LANGUAGES).filter((language) => language !== "en");

/** The texts of a language by their keys: `page.title_one`. */
function textsOf(language: string): ReadonlyMap<string, string> {
  const file = new URL(`${language}.json`, import.meta.url);
  return new Map(flat(JSON.parse(readFileSync(file, "utf8")), ""));
}

function flat(texts: unknown, above: string): [string, string][] {
  if (typeof texts === "string") return [[above, texts]];
  return Object.entries(texts as object).flatMap(([name, below]) =>
    flat(below, above === "" ? name : `${above}.${name}`),
  );
}

const placesIn = (text = ""): string[] => [...text.matchAll(/{{\w+}}/g)].map(String).sort();

const english = textsOf("en");

describe.each(OTHERS)("the page's texts in %s", (language) => {
  const texts = textsOf(language);

  it("are those that there are in English", () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("are none of them empty, and name what the English ones name", () => {
    for (const [key, text] of texts) {
      expect(text.trim()).not.toBe("");
      expect([key, placesIn(text)]).toEqual([key, placesIn(english.get(key))]);
    }
  });

  it("say something else than the English ones, but for names", () => {
    const same = [...texts].filter(([key, text]) => text.length > 20 && text === english.get(key));
    expect(same).toEqual([]);
  });
});

describe("the texts of fields", () => {
  const requirements = [...COUNTRIES.values()].flatMap(({ types }) =>
    Object.values(types).flatMap((type) => type.requirements),
  );
  const slugs = [...new Set(requirements.map(({ slug }) => slug))];

  it.each(slugs)("are there for %s, in plain words", (slug) => {
    const said = `${english.get(`field.${slug}.name`)} ${english.get(`field.${slug}.about`)}`;
    expect(said).not.toMatch(/undefined|losing carrier|E\.164|RespOrg|CUPID/);
  });

  it("are there for every option of a choice", () => {
    for (const { slug, value } of requirements) {
      if (value.format !== "choice") continue;
      for (const option of value.options) {
        expect(english.has(`choice.${slug}.${option}`)).toBe(true);
      }
    }
  });
});

describe("the page's language", () => {
  const wish = (asked: string | null, kept: string | null, ...browser: string[]) =>
    languageOf({ asked, kept, browser });

  it.each([
    ["the link's before all others", wish("de", "fr", "es"), "de"],
    ["what this tab was shown in before the browser's", wish(null, "fr", "es"), "fr"],
    ["the browser's first that there is", wish(null, null, "it-IT", "es-MX", "de"), "es"],
    ["the browser's where the link's is not there", wish("tlh", null, "de-AT"), "de"],
    ["English where there is none", wish(null, null, "it"), "en"],
    ["no property that every object has", wish("constructor", null), "en"],
  ])("is %s", (_what, language, expected) => {
    expect(language).toBe(expected);
  });

  it("is written as in the browser's region", () => {
    expect(localeOf("en", ["de-DE", "en-GB"])).toBe("en-GB");
    expect(localeOf("fr", ["de-DE", "en-GB"])).toBe("fr");
  });
});

describe("sizes and lists", () => {
  it("never make what is too large look allowed", () => {
    const limit = 20 * 1024 * 1024;
    expect(sizeText("en", limit, "floor")).toBe("20.9 MB");
    expect(sizeText("en", limit + 1)).toBe("21 MB");
    expect(sizeText("de", 12_340_000)).toBe("12,4 MB");
  });

  it("are in the page's language", () => {
    expect(listText("de", ["PDF", "PNG", "JPEG"], "or")).toBe("PDF, PNG oder JPEG");
  });
});
