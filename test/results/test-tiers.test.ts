import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../infra/project-root.ts";
import { ofTiers, readTestFile, testFilesIn } from "./test-tiers.ts";

describe("readTestFile", () => {
  it("takes a file without a pragma as one of the core, which needs nothing", () => {
    expect(readTestFile("a.test.ts", 'import "x";')).toEqual({
      path: "a.test.ts",
      tier: "core",
      needs: [],
    });
  });

  it("reads tier and programs of the first line", () => {
    const text = "/** @tier nightly @needs chromium python3 */\nimport x;";
    expect(readTestFile("a.test.ts", text)).toMatchObject({
      tier: "nightly",
      needs: ["chromium", "python3"],
    });
    expect(readTestFile("a.test.ts", `import "x";\n${text}`).tier).toBe("core");
  });

  it.each(["/** @tier weekly */", "/** @needs podman */"])("refuses %s", (text) => {
    expect(() => readTestFile("a.test.ts", text)).toThrow("a.test.ts");
  });
});

describe("the test files", () => {
  it("are in each tier", () => {
    const files = testFilesIn(projectRoot);
    for (const tier of ["core", "all", "nightly"] as const) {
      expect(ofTiers(files, [tier]).length).toBeGreaterThan(3);
    }
  });
});
