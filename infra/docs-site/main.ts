import { projectRoot } from "../project-root.ts";
import { writeSite } from "./build-site.ts";

/** `main.js <folder>`: builds the docs site into the folder where Vite left its template. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder of the built template.");
writeSite(projectRoot, folder);
