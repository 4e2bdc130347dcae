import { describe, expect, it } from "@jest/globals";
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from "../../../messages/retry-schedule.ts";
import {
  HEALTH_THRESHOLDS,
  judgeMeasure,
  worstOf,
  type HealthMeasure,
} from "./health-thresholds.ts";

const MEASURES = Object.keys(HEALTH_THRESHOLDS) as HealthMeasure[];

describe("the status of a measure", () => {
  it.each(MEASURES)("changes at the thresholds of %s", (measure) => {
    const { slow, stuck } = HEALTH_THRESHOLDS[measure];
    const statuses = [0, slow - 1, slow, stuck - 1, stuck].map((value) =>
      judgeMeasure({ measure, value, earlier: [] }),
    );
    expect(statuses).toEqual(["ok", "ok", "slow", "slow", "stuck"]);
  });

  it("is stuck for a small backlog that has not shrunk for five minutes", () => {
    const judge = (...earlier: number[]) =>
      judgeMeasure({ measure: "consumer_lag", value: 3, earlier });
    expect(judge(3, 3, 3, 3, 3)).toBe("stuck");
    expect(judge(1, 1, 2, 2, 3)).toBe("stuck");
    expect(judge(3, 3, 3, 3)).toBe("ok");
    expect(judge(3, 3, 4, 3, 3)).toBe("ok");
    expect(judge(3, 3, 0, 3, 3)).toBe("ok");
  });

  it("is not stuck for timers and ages that only grow", () => {
    const earlier = [5, 5, 5, 5, 5];
    expect(judgeMeasure({ measure: "retry_depth", value: 5, earlier })).toBe("ok");
    expect(judgeMeasure({ measure: "delivery_age", value: 6, earlier })).toBe("ok");
  });

  it("is stuck for a webhook before its default retry schedule has ended", () => {
    const waits = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE).map(({ delayMs }) => delayMs);
    const scheduleMs = waits.reduce((sum, wait) => sum + wait, 0);
    expect(HEALTH_THRESHOLDS.delivery_age.stuck * 1_000).toBeLessThan(scheduleMs);
  });

  it("is the worst of several", () => {
    expect(worstOf(["ok", "stuck", "slow"])).toBe("stuck");
    expect(worstOf(["ok", "slow"])).toBe("slow");
    expect(worstOf([])).toBe("ok");
  });
});
