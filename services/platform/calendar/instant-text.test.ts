import { describe, expect, it } from "@jest/globals";
import { instantText } from "./instant-text.ts";

describe("the text of an instant", () => {
  it.each([
    "2026-12-01T10:00:00Z",
    "2026-12-01T10:00:00.123456789+14:00",
    "2026-12-01T10:00:00-14:00",
    "2026-12-01T10:00:00+05:45",
  ])("is kept as it was written: %s", (text) => {
    expect(instantText.parse(text)).toBe(text);
  });

  it.each([
    ["2026-12-15T10:00+01:00", "2026-12-15T10:00:00+01:00"],
    ["2026-12-15T10:00Z", "2026-12-15T10:00:00Z"],
    ["2026-12-15T10:00:00+0100", "2026-12-15T10:00:00+01:00"],
    ["2026-12-15T10:00-05", "2026-12-15T10:00:00-05:00"],
    ["2026-12-15T10:00:00,5Z", "2026-12-15T10:00:00.5Z"],
    ["20261215T100000,25-0530", "2026-12-15T10:00:00.25-05:30"],
    ["2026-12-01T10:00:00.123456789+01", "2026-12-01T10:00:00.123456789+01:00"],
  ])("is read from every complete form of ISO 8601: %s", (text, extended) => {
    expect(instantText.parse(text)).toBe(extended);
  });

  it.each(["2026-12-15T10:00:00", "2026-12-15T10:00", "20261215T100000,5"])(
    "is refused without an offset, in words that name it: %s",
    (text) => {
      const faults = instantText.safeParse(text).error?.issues;
      expect(faults).toMatchObject([
        { code: "invalid_format", message: expect.stringMatching(/no offset from UTC/) },
      ]);
    },
  );

  it.each([
    "2026-12-01T10:00:00+14:01",
    "2026-12-01T10:00+1401",
    "2026-02-30T10:00Z",
    "2026-12-01T10:0000Z",
    "202612-01T10:00Z",
    "2026-12-01T10Z",
    "2026-12-01 10:00Z",
    "2026-12-01T10:00:00.1234567891+01",
    "2026-12-01T10:00:00+16:00",
    "2026-12-01T10:00:00-23:59",
    "2026-12-01T10:00:00",
    "2026-12-01T10:00:00.1234567890+01:00",
  ])("is refused: %s", (text) => {
    expect(instantText.safeParse(text).success).toBe(false);
  });
});
