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
    "2026-12-01T10:00:00+14:01",
    "2026-12-01T10:00:00+16:00",
    "2026-12-01T10:00:00-23:59",
    "2026-12-01T10:00:00",
    "2026-12-01T10:00:00.1234567890+01:00",
  ])("is refused: %s", (text) => {
    expect(instantText.safeParse(text).success).toBe(false);
  });
});
