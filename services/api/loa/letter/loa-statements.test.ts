import { describe, expect, it } from "@jest/globals";
import { loaStatements } from "./loa-statements.ts";

describe("the declarations of a letter of authorization", () => {
  it("declares a change of RespOrg for toll-free numbers alone", () => {
    const carrier = { name: "New Carrier", respOrgId: "ABC01" };
    const texts = (type: string) => loaStatements(carrier, { number_type: type }).join("\n");
    expect(texts("toll_free")).toContain("New Carrier (RespOrg ID ABC01)");
    expect(texts("local")).not.toContain("RespOrg");
  });
});
