import { ModernFakeTimers } from "@jest/fake-timers";
import { endAll } from "../lifetime/end-after-tests.ts";

/**
 * What `@jest/globals` is under the light runner (hooks.ts): the runner's own functions, with the time limits that it lacks. Each
 * test file has a copy of its own.
 */

/** Above the deadline of a condition (eventually.ts), so that a test fails with the error that names the unmet one. */
const TEST_MS = 60_000;
/** A start of a stack or a product, whose own deadlines are shorter. */
const HOOK_MS = 300_000;

type Body = (...args: unknown[]) => unknown;
type Register = (name: string, body: Body, ms?: number) => void;

interface It extends Register {
  each(...table: unknown[]): Register;
  readonly only: It;
  readonly skip: Register;
}

interface Given {
  readonly describe: unknown;
  readonly expect: unknown;
  readonly it: It;
  readonly beforeAll: (body: Body) => void;
  readonly beforeEach: (body: Body) => void;
  readonly afterEach: (body: Body) => void;
  readonly afterAll: (body: Body) => void;
}

const given = globalThis as unknown as Given;
// Those of the test may be fake.
const { setTimeout, clearTimeout } = globalThis;

/** A body that rejects after its time. Rows of a table come as arguments. */
function limited(body: Body, ms: number): Body {
  return (...args) => {
    let late: NodeJS.Timeout | undefined;
    const limit = new Promise((_, reject) => {
      late = setTimeout(() => reject(new Error(`It takes longer than ${ms / 1000} s.`)), ms);
    });
    const done = Promise.resolve().then(() => body(...args));
    return Promise.race([done, limit]).finally(() => clearTimeout(late));
  };
}

const test =
  (register: Register): Register =>
  (name, body, ms = TEST_MS) =>
    register(name, limited(body, ms));

const hook =
  (register: (body: Body) => void) =>
  (body: Body, ms = HOOK_MS): void =>
    register(limited(body, ms));

const each =
  (from: It) =>
  (...table: unknown[]): Register =>
    test(from.each(...table));

const { it: own } = given;
const only = Object.assign(test(own.only), { each: each(own.only) });
export const it = Object.assign(test(own), { each: each(own), only, skip: own.skip });
export const { describe, expect } = given;
export const beforeAll = hook(given.beforeAll);
export const beforeEach = hook(given.beforeEach);
export const afterEach = hook(given.afterEach);
export const afterAll = hook(given.afterAll);

type TimerOptions = ConstructorParameters<typeof ModernFakeTimers>[0];
type FakeTimersConfig = Parameters<ModernFakeTimers["useFakeTimers"]>[0];

const config = { fakeTimers: { enableGlobally: false } } as TimerOptions["config"];
const timers = new ModernFakeTimers({ config, global: globalThis });

export const jest = {
  useFakeTimers: (how?: FakeTimersConfig) => timers.useFakeTimers(how),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms: number) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
};

// As the file's first, so that it runs before those of the file.
afterAll(endAll);
