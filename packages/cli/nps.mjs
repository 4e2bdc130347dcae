#!/usr/bin/env node
// `npx nps`: runs the built command line; run.mjs builds it first where a source is newer.
process.argv.splice(2, 0, "packages/cli/main.ts");
await import("../../infra/run.mjs");
