#!/usr/bin/env node
// `npx nps`: runs the command line.
process.argv.splice(2, 0, "packages/cli/main.ts");
await import("../../infra/run.mjs");
