import { describe, expect, it } from "@jest/globals";
import { acceptedBy, fileFault } from "./accepted-file.ts";

const MIB = 1024 * 1024;
const accepted = acceptedBy({
  acceptance_criteria: {
    content_types: ["application/pdf", "image/jpeg"],
    max_bytes: 20 * MIB,
    max_age_days: 30,
  },
});

const fault = (name: string, type: string, size: number): string | null =>
  fileFault({ name, type, size }, accepted);

describe("a file that is chosen", () => {
  it("is told what it may be", () => {
    expect(accepted.text).toBe("PDF, JPEG up to 20 MiB, at most 30 days old.");
  });

  it("is refused before it is sent where it is of another kind, empty or too large", () => {
    expect(fault("bill.heic", "image/heic", 1)).toBe(
      "bill.heic is of another kind. It must be PDF, JPEG.",
    );
    expect(fault("bill.pdf", "application/pdf", 0)).toBe("bill.pdf is empty.");
    expect(fault("bill.pdf", "application/pdf", 25 * MIB)).toMatch(
      /^bill.pdf has 25.0 MiB. At most 20 MiB/,
    );
    expect(fault("bill.pdf", "application/pdf", 20 * MIB + 1)).toMatch(/has 20.1 MiB/);
  });

  it("is sent otherwise, also where the browser does not know its kind", () => {
    expect(fault("bill.pdf", "application/pdf", 20 * MIB)).toBeNull();
    expect(fault("bill", "", MIB)).toBeNull();
  });
});
