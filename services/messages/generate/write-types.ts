import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateTypes } from "./generate-types.ts";
import { readSchemaTexts } from "./schema-files.ts";

/** Generates the module of every schema in `<root>/schemas`. */
export function writeTypes(root: string): void {
  const folder = join(root, "services", "messages", "generated");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of readSchemaTexts(root)) {
    writeFileSync(join(folder, `${name}.ts`), generateTypes(`${name}.avsc`, text));
  }
}
