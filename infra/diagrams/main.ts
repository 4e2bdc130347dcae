import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { DOCUMENT, withDiagrams } from "./state-diagrams.ts";

const path = join(projectRoot, DOCUMENT);
writeFileSync(path, withDiagrams(readFileSync(path, "utf8")));
