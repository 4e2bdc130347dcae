import { describe, expect, it } from "@jest/globals";
import { maskValue } from "./requirement.ts";

describe("maskValue", () => {
  it("shows the last 4 characters of an account number, and none of a short one", () => {
    expect(maskValue("8772-114-90210", "masked")).toBe("****0210");
    expect(maskValue("1234", "masked")).toBe("****");
  });

  it("hides a PIN completely and shows values that are not sensitive", () => {
    expect(maskValue("471147114711", "hidden")).toBe("****");
    expect(maskValue("Acme Dental LLC", "no")).toBe("Acme Dental LLC");
  });
});
