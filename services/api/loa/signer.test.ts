import { describe, expect, it } from "@jest/globals";
import { buildOrder, buildRequirement } from "../../../test/support/orders/order-factory.ts";
import { authorizedSignerOf, isSameName } from "./signer.ts";

describe("the signer of a letter of authorization", () => {
  it.each([
    ["Grace Hopper", "GRACE  hopper"],
    ["Grace Hopper", " gracehopper "],
    ["José Ibáñez", "Jose Ibanez"],
    ["Łukasz Żółć", "lukasz zolc"],
    ["Jürgen Groß", "Jurgen Gross"],
    ["Zoe\u0308 Noe\u0308l", "Zoë Noël"],
    ["Ελένη", "ελενη"],
    ["Kılıç", "KILIÇ"],
    ["Kılıç", "Kilic"],
    ["Diyarbakırlı İpek", "DİYARBAKIRLI İPEK"],
    ["Diyarbakırlı İpek", "diyarbakirli ipek"],
  ])("%s is %s: case, spaces and accents do not count", (one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["Grace Hopper", "Grace Hoper"],
    ["Grace Hopper", "Hopper Grace"],
    ["Grace Hopper", "G. Hopper"],
    ["Grace Hopper", "Grace Hopper Jr"],
  ])("%s is not %s", (one, other) => {
    expect(isSameName(one, other)).toBe(false);
  });

  it("is the person whom the order names, if it asks for one", () => {
    const named = buildRequirement({ slug: "auth_person_name", shown_value: "Grace Hopper" });
    const unnamed = buildRequirement({ ...named, has_value: false, shown_value: null });
    expect(authorizedSignerOf(buildOrder({ requirements: [named] }))).toBe("Grace Hopper");
    expect(authorizedSignerOf(buildOrder({ requirements: [unnamed] }))).toBeNull();
    expect(authorizedSignerOf(buildOrder({ requirements: [buildRequirement()] }))).toBeNull();
  });
});
