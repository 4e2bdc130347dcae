import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { DOCUMENTS, withDiagrams } from "./state-diagrams.ts";

for (const [document, diagrams] of Object.entries(DOCUMENTS)) {
  const path = join(projectRoot, document);
  writeFileSync(path, withDiagrams(readFileSync(path, "utf8"), diagrams));
}
