import { describe, expect, it } from "@jest/globals";
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from "./retry-schedule.ts";
import { retryTopic, retryTopics } from "./topics.ts";

describe("parseRetrySchedule", () => {
  it("reads the specification's five steps by default", () => {
    const minutes = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE).map(
      ({ delayMs }) => delayMs / 60_000,
    );
    expect(minutes).toEqual([1, 5, 30, 120, 360]);
  });

  it("names each delay topic after its step as written", () => {
    expect(parseRetrySchedule("200ms, 1s").map(retryTopic)).toEqual([
      "porting.webhook-retry.200ms",
      "porting.webhook-retry.1s",
    ]);
  });

  it("lets equal steps share a topic", () => {
    const steps = parseRetrySchedule("1s,1s,2s");
    expect(steps).toHaveLength(3);
    expect(retryTopics(steps)).toEqual(["porting.webhook-retry.1s", "porting.webhook-retry.2s"]);
  });

  it.each(["", "1m,", "1m;5m", "soon"])("refuses %j", (text) => {
    expect(() => parseRetrySchedule(text)).toThrow(
      expect.objectContaining({ code: "invalid_config" }),
    );
  });
});
