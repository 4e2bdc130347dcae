import { ModernFakeTimers } from "@jest/fake-timers";
import { endAll } from "../lifetime/end-after-tests.ts";

/**
 * What `@jest/globals` is under the light runner (hooks.ts): the runner's own, with the time limits that it lacks. Each test file
 * has a copy of its own.
 */
const given = globalThis as unknown as typeof import("@jest/globals");

/** Above the deadline of a condition (eventually.ts), so that a test fails with the error that names the unmet one. */
const TEST_MS = 60_000;
/** A start of a stack or a product, whose own deadlines are shorter. */
const HOOK_MS = 300_000;

type Body = (...args: never[]) => unknown;

/** Rejects when the body takes longer. Table rows come as arguments, and a callback is not supported. */
function limited(body: Body, ms: number): Body {
  return (...args) => {
    let late: NodeJS.Timeout | undefined;
    const limit = new Promise((_, reject) => {
      late = realSetTimeout(() => reject(new Error(`It takes longer than ${ms / 1000} s.`)), ms);
    });
    const done = Promise.resolve().then(() => body(...args));
    return Promise.race([done, limit]).finally(() => realClearTimeout(late));
  };
}

const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;

type Register = (name: string, body: Body, ms?: number) => void;
type Each = (...table: unknown[]) => Register;

function limitedTest(register: Register): Register {
  return (name, body, ms = TEST_MS) => register(name, limited(body, ms));
}

function limitedIt(it: Register & { each: Each }): Register & { each: Each } {
  const each: Each = (...table) => limitedTest(it.each(...table));
  return Object.assign(limitedTest(it), { each });
}

function limitedHook(register: (body: Body) => void): (body: Body, ms?: number) => void {
  return (body, ms = HOOK_MS) => register(limited(body, ms));
}

const own = given.it as unknown as Register & { each: Each; skip: Register; only: Register & { each: Each } };

export const it = Object.assign(limitedIt(own), { skip: own.skip, only: limitedIt(own.only) });
export const test = it;
export const { describe, expect } = given;
export const beforeAll = limitedHook(given.beforeAll);
export const beforeEach = limitedHook(given.beforeEach);
export const afterEach = limitedHook(given.afterEach);
export const afterAll = limitedHook(given.afterAll);

const timers = new ModernFakeTimers({
  config: { fakeTimers: { enableGlobally: false } } as never,
  global: globalThis,
});

export const jest = {
  useFakeTimers: (config?: object) => timers.useFakeTimers(config as never),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms: number) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
};

// As the file's first, so that it runs before those of the file.
afterAll(endAll);
