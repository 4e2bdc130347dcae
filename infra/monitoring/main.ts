import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { DASHBOARDS, dashboardFiles } from "./dashboard-files.ts";

// Run by `npm run dashboards`.
const folder = join(projectRoot, DASHBOARDS);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of dashboardFiles()) writeFileSync(join(folder, name), text);
