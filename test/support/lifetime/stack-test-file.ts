import { afterAll, jest } from "@jest/globals";
import { endAll } from "./end-after-tests.ts";

/**
 * Above every deadline inside (a process becomes healthy within 60 s, a condition within 30 s), so that a test fails by
 * the sentence which says what did not come about.
 */
const LONGEST_MS = 120_000;

jest.setTimeout(LONGEST_MS);

afterAll(endAll);
