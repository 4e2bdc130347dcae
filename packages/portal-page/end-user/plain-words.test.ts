import { describe, expect, it } from "@jest/globals";
import { COUNTRIES } from "../../../services/domain/countries/countries.ts";
import { inPlainWords } from "./plain-words.ts";

const requirements = [...COUNTRIES.values()].flatMap(({ types }) =>
  Object.values(types).flatMap((type) => type.requirements),
);

describe("the words for those who port their own number", () => {
  it.each([...new Set(requirements.map(({ slug }) => slug))])("are plain for %s", (slug) => {
    const shown = inPlainWords({ slug, name: slug, description: "" } as Parameters<
      typeof inPlainWords
    >[0]);
    expect(shown.name).not.toBe(slug);
    expect(`${shown.name} ${shown.description}`).not.toMatch(/losing carrier|E\.164|RespOrg|CUPID/);
  });
});
