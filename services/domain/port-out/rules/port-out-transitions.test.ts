import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { portOutDiagram } from "./port-out-transitions.ts";

describe("the state diagram of port-outs", () => {
  it("in docs/ARCHITECTURE.md matches the table", () => {
    const text = readFileSync("docs/ARCHITECTURE.md", "utf8");
    expect(text).toContain(`\`\`\`mermaid\n${portOutDiagram()}\n\`\`\``);
  });
});
