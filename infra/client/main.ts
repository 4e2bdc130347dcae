import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { customerDocument } from "../../services/api/routes.ts";
import { projectRoot } from "../project-root.ts";
import { clientFiles, GENERATED } from "./client-files.ts";

// Run by `npm run client`.
const folder = join(projectRoot, GENERATED);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of clientFiles(customerDocument())) writeFileSync(join(folder, name), text);
