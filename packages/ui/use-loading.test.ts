import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { LongWait } from "./use-loading.ts";

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A wait, and what was shown of it: true when it appeared, false when it went. */
function observed() {
  const wait = new LongWait();
  const shown: boolean[] = [];
  wait.subscribe(() => shown.push(wait.isShown()));
  return { wait, shown };
}

describe("a wait", () => {
  it("is not shown where the answer comes soon", () => {
    const { wait, shown } = observed();
    const finish = wait.begin();
    jest.advanceTimersByTime(149);
    finish();
    jest.advanceTimersByTime(10_000);
    expect(shown).toEqual([]);
  });

  it("is shown after 150 ms, until a moment after the answer", () => {
    const { wait, shown } = observed();
    const finish = wait.begin();
    jest.advanceTimersByTime(150);
    expect(shown).toEqual([true]);
    jest.advanceTimersByTime(5_000);
    finish();
    expect(shown).toEqual([true]);
    jest.advanceTimersByTime(200);
    expect(shown).toEqual([true, false]);
  });

  it("is shown once, however many things are awaited at once and one after the other", () => {
    const { wait, shown } = observed();
    const [code, session] = [wait.begin(), wait.begin()];
    jest.advanceTimersByTime(1_000);
    code();
    session();
    jest.advanceTimersByTime(100);
    const data = wait.begin();
    jest.advanceTimersByTime(1_000);
    expect(shown).toEqual([true]);
    data();
    jest.advanceTimersByTime(1_000);
    expect(shown).toEqual([true, false]);
  });

  it("counts from the first of what is awaited one after the other", () => {
    const { wait, shown } = observed();
    const code = wait.begin();
    jest.advanceTimersByTime(100);
    code();
    jest.advanceTimersByTime(100);
    expect(shown).toEqual([]);
    wait.begin();
    expect(shown).toEqual([true]);
  });

  it("counts anew after a rest", () => {
    const { wait, shown } = observed();
    wait.begin()();
    jest.advanceTimersByTime(200);
    wait.begin();
    jest.advanceTimersByTime(149);
    expect(shown).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(shown).toEqual([true]);
  });
});
