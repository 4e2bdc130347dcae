import { readFileSync } from "node:fs";
import { join } from "node:path";
import TestSequencer from "@jest/test-sequencer";

/** The files that take longest, longest first, so that at the end no worker is left with one of them. */
const SLOWEST = JSON.parse(readFileSync(join(import.meta.dirname, "slowest.json"), "utf8"));

/** The slowest first, and unit tests last, because these are short and fill what is left of the time. */
function rankOf({ path, context }) {
  if (context.config.displayName?.name === "unit") return SLOWEST.length + 1;
  const place = SLOWEST.findIndex((name) => path === join(context.config.rootDir, name));
  return place < 0 ? SLOWEST.length : place;
}

export default class SlowestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
