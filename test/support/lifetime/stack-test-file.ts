import { afterAll, jest } from "@jest/globals";
import { endAll } from "./end-after-tests.ts";

/**
 * Above every inner deadline (60 s for a process to become healthy, 60 s for a condition), also where several conditions
 * are slow to come, so that a test fails with the error that names the unmet one.
 */
const LONGEST_MS = 300_000;

jest.setTimeout(LONGEST_MS);

afterAll(endAll);
