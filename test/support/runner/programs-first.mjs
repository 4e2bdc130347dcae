import { readFileSync } from "node:fs";
import Sequencer from "@jest/test-sequencer";

const NEEDS = /^\/\*\* @tier \w+ @needs /;

/** Jest's order, but files that start a browser or another program come first: on a clean clone nothing says how long they take. */
export default class ProgramsFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const needs = new Set(sorted.filter(({ path }) => NEEDS.test(readFileSync(path, "utf8"))));
    return [...needs, ...sorted.filter((test) => !needs.has(test))];
  }
}
