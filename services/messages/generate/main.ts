import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateTypes } from "./generate-types.ts";
import { readSchemaTexts } from "./schema-files.ts";

// Run by `npm run messages` in the project's root.
const root = process.cwd();
const folder = join(root, "services", "messages", "generated");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, text] of readSchemaTexts(root)) {
  writeFileSync(join(folder, `${name}.ts`), generateTypes(`${name}.avsc`, text));
}
