import { describe, expect, it } from "@jest/globals";
import { shippedBill, type Bill } from "./sbom.ts";

const component = (name: string, license?: string) => ({
  "bom-ref": `${name}@1.0.0`,
  name,
  version: "1.0.0",
  ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
});

const installed: Bill = {
  bomFormat: "CycloneDX",
  metadata: { component: { "bom-ref": "product@0.2.0" } },
  components: [
    component("koa", "MIT"),
    component("jest", "MIT"),
    component("fonts", "SEE LICENSE"),
  ],
  dependencies: [
    { ref: "product@0.2.0", dependsOn: ["koa@1.0.0", "jest@1.0.0", "number-porting-ui@0.2.0"] },
    { ref: "number-porting-ui@0.2.0", dependsOn: ["fonts@1.0.0", "jest@1.0.0"] },
    { ref: "koa@1.0.0", dependsOn: ["fonts@1.0.0"] },
    { ref: "jest@1.0.0", dependsOn: ["koa@1.0.0"] },
  ],
};

describe("the bill of materials", () => {
  const shipped = ["koa", "fonts"].map((name) => ({
    folder: `node_modules/${name}`,
    name,
    version: "1.0.0",
    licence: name === "koa" ? "MIT" : "(MIT)",
  }));
  const bill = shippedBill(installed, shipped);

  it("has what is shipped, and what of it needs what", () => {
    expect(bill.components.map(({ name }) => name)).toEqual(["koa", "fonts"]);
    expect(bill.dependencies).toEqual([
      { ref: "product@0.2.0", dependsOn: ["koa@1.0.0", "fonts@1.0.0"] },
      { ref: "koa@1.0.0", dependsOn: ["fonts@1.0.0"] },
    ]);
    expect(bill["bomFormat"]).toBe("CycloneDX");
  });

  it("names the licence that the check has found, where package.json has another text", () => {
    expect(bill.components.map(({ licenses }) => licenses)).toEqual([
      [{ license: { id: "MIT" } }],
      [{ expression: "MIT" }],
    ]);
  });
});
