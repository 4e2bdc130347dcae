import { describe, expect, it } from "@jest/globals";
import { documentForm } from "./write-requirement.ts";

const { document_date: date } = documentForm({ now: () => new Date("2026-12-15T08:00:00Z") }).shape;

describe("the date of a document", () => {
  it.each(["2026-12-15T10:00+01:00", "2026-12-15T10:00:00,0+01", "2026-12-15T09:00Z"])(
    "is taken in every complete form of ISO 8601: %s",
    (text) => {
      expect(date.parse(text)).toEqual(new Date("2026-12-15T09:00:00Z"));
    },
  );

  it("is refused as a plain day in words that say how to write one", () => {
    const faults = date.safeParse("2026-12-15").error?.issues;
    expect(faults).toMatchObject([
      { message: expect.stringMatching(/plain day, its beginning, such as \S+T00:00:00\+01:00/) },
    ]);
  });

  it("has an offset, or is refused in words that say so", () => {
    const faults = date.safeParse("2026-12-15T10:00").error?.issues;
    expect(faults).toMatchObject([{ message: expect.stringMatching(/no offset from UTC/) }]);
  });
});
