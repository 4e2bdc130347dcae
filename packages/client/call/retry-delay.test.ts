import { describe, expect, it } from "@jest/globals";
import { ApiError, ConnectionError, readRetryAfter } from "../errors.ts";
import { retryDelayMs, type Tries } from "./retry-delay.ts";

const tries = (failed: number, random = 0): Tries => ({
  failed,
  maxRetries: 4,
  random: () => random,
});

function refused(status: number, code: string, retryAfterMs: number | null = null): ApiError {
  const problem = { type: "about:blank", title: code, status, detail: code, code, request_id: "r" };
  return new ApiError(problem, retryAfterMs);
}

const CUT = new ConnectionError("cut");

describe("the wait before another try", () => {
  it("doubles up to eight seconds and ends after the last retry", () => {
    const waits = [1, 2, 3, 4, 5].map((failed) => retryDelayMs(CUT, tries(failed)));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, null]);
    expect(retryDelayMs(CUT, { ...tries(9), maxRetries: 20 })).toBe(8_000);
  });

  it("is spread over half of it", () => {
    expect(retryDelayMs(CUT, tries(1, 1))).toBe(250);
  });

  it("is at least what the API asks for", () => {
    expect(retryDelayMs(refused(429, "rate_limited", 3_000), tries(1))).toBe(3_000);
    expect(retryDelayMs(refused(503, "unavailable", 0), tries(1))).toBe(500);
  });

  it("of more than a minute is left to the caller", () => {
    expect(retryDelayMs(refused(429, "rate_limited", 60_001), tries(1))).toBeNull();
  });

  it.each([
    [500, "internal", true],
    [502, "http_502", true],
    [409, "idempotency_in_progress", true],
    [409, "invalid_state", false],
    [400, "invalid_parameter", false],
    [401, "unauthorized", false],
    [404, "not_found", false],
    [422, "validation_failed", false],
  ])("%i %s is tried again: %s", (status, code, isRetried) => {
    expect(retryDelayMs(refused(status, code), tries(1)) !== null).toBe(isRetried);
  });

  it("has no other error", () => {
    expect(retryDelayMs(new TypeError("a fault of the caller"), tries(1))).toBeNull();
  });
});

describe("Retry-After", () => {
  it.each([
    ["7", 7_000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5_000],
    ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
    ["soon", null],
    ["", null],
    [null, null],
  ])("%j is %j ms", (header, ms) => {
    expect(readRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(ms);
  });
});
