import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { transitionDiagram } from "./transition-diagram.ts";

describe("the state diagram", () => {
  it("in docs/ARCHITECTURE.md matches the table", () => {
    const text = readFileSync("docs/ARCHITECTURE.md", "utf8");
    expect(text).toContain(`\`\`\`mermaid\n${transitionDiagram()}\n\`\`\``);
  });
});
