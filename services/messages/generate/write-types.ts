import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateTypes } from "./generate-types.ts";
import { readHistoryTexts, readSchemas, readSchemaTexts } from "./schema-files.ts";

/** Generates the module of every schema in `<root>/schemas`. */
export function writeTypes(root: string): void {
  const folder = join(root, "services", "messages", "generated");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of readSchemaTexts(root)) {
    writeFileSync(join(folder, `${name}.ts`), generateTypes(`${name}.avsc`, text));
  }
  writeFileSync(join(folder, `${RELEASED}.ts`), generateReleased(root));
}

/** The module with what was released of every schema. */
export const RELEASED = "released-schemas";

export function generateReleased(root: string): string {
  const lines = [...readSchemas(root)].flatMap(([file, { name }]) => [
    `  ${name}: [`,
    ...readHistoryTexts(root, file).map((text) => `    ${JSON.stringify(text)},`),
    "  ],",
  ]);
  return [
    "// Made from schemas/history by `npm run messages`; do not edit.",
    "",
    "/** The texts of every released version of a schema, oldest first, by the name of its record. */",
    "export const RELEASED_SCHEMAS: Readonly<Record<string, readonly string[]>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}
