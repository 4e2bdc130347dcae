import { describe, expect, it } from "@jest/globals";
import { LETTER_TEXTS } from "./letter-texts.ts";
import { loaStatements } from "./loa-form.ts";

const carrier = { name: "New Carrier", respOrgId: "ABC01" };

const texts = (country_code: string, number_type: string): string =>
  loaStatements(carrier, { country_code, number_type, customer: [] }, LETTER_TEXTS.en).join("\n");

describe("the declarations of a letter of authorization", () => {
  it("declare a change of RespOrg for toll-free numbers of North America alone", () => {
    expect(texts("US", "toll_free")).toContain("New Carrier (RespOrg ID ABC01)");
    expect(texts("US", "local")).not.toContain("RespOrg");
    expect(texts("GB", "toll_free")).not.toContain("RespOrg");
    expect(texts("GB", "toll_free")).not.toContain("Responsible Organization");
  });

  it("mention an address only where the letter states one", () => {
    const field = { slug: "service_address", label: "Service address", value: "1 Main St" };
    const of = { country_code: "FR", number_type: "local", customer: [field] };
    expect(loaStatements(carrier, of, LETTER_TEXTS.en).join(" ")).toContain(
      "The names, the address and the numbers",
    );
    expect(texts("FR", "mobile")).toContain("The names and the numbers");
  });
});
