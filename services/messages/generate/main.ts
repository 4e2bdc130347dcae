import { writeTypes } from "./generate-types.ts";

// Run by `npm run messages` in the project's root.
writeTypes(process.cwd());
