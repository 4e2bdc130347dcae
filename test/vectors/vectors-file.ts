import { join } from "node:path";
import { projectRoot } from "../../infra/project-root.ts";

export const VECTORS_FILE = join(projectRoot, "examples", "webhook-receiver", "vectors.json");
