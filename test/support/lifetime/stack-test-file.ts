import { afterAll, jest } from "@jest/globals";
import { endAll } from "./end-after-tests.ts";

/**
 * Above every inner deadline (60 s for a process to become healthy, 30 s for a condition), so that a test fails with
 * the error that names the unmet condition.
 */
const LONGEST_MS = 120_000;

jest.setTimeout(LONGEST_MS);

afterAll(endAll);
