import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import type { Figures } from "../../../examples/analytics/figures.ts";
import { drawPage } from "../../../examples/analytics/report/page.ts";
import { everyStep, unitOf } from "../../../examples/analytics/report/time-buckets.ts";

const NOW = new Date("2026-11-20T10:00:00Z");
const SINCE = new Date("2026-08-22T10:00:00Z");
const PERIOD = { since: SINCE, drawnAt: NOW, events: 1_234, lastEventAt: NOW };
const HOSTILE = `<script>alert("x")</script>&'`;

const NONE: Figures = {
  overview: {
    created: 0,
    submitted: 0,
    completed: 0,
    completed_partial: 0,
    cancelled: 0,
    open: 0,
    median_seconds: null,
  },
  timeInStatus: [],
  rejections: [],
  firstTimeRight: [],
  focKept: [],
  portOuts: [],
  deskUnit: "day",
  deskThroughput: [],
  deskWaits: [],
  webhooks: null,
};

const RETRYING: NonNullable<Figures["webhooks"]>[number] = {
  account_id: "00000000-0000-7000-8000-00000000000a",
  endpoint_id: "00000000-0000-7000-8000-0000000e0b90",
  host: "a.example.com",
  deliveries: 565,
  succeeded: 0,
  failed: 5,
  waiting: 560,
  attempts: 900,
  median_seconds: null,
  p95_seconds: null,
};

/** What is read on a page. */
function textOf(page: string): string {
  return page.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

describe("the report", () => {
  it("escapes what others have named", () => {
    const page = drawPage(
      {
        ...NONE,
        focKept: [
          { losing_carrier: HOSTILE, country_code: "US", dated: 2, kept: 1, moved: 1, late: 0 },
        ],
        webhooks: [
          {
            account_id: "00000000-0000-7000-8000-00000000000a",
            endpoint_id: null,
            host: HOSTILE,
            deliveries: 1,
            succeeded: 0,
            failed: 1,
            waiting: 0,
            attempts: 6,
            median_seconds: null,
            p95_seconds: null,
          },
        ],
      },
      PERIOD,
    );
    expect(page).not.toContain("<script");
    expect(page.split("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;").length).toBe(
      5,
    );
  });

  it("says of deliveries how many arrived, wait and failed", () => {
    const page = drawPage({ ...NONE, webhooks: [RETRYING] }, PERIOD);
    expect(textOf(page)).toContain("0 % of 565 delivered; 560 waiting, 5 failed");
    expect(textOf(page)).toContain("0 delivered, 560 waiting, 5 failed");
    expect(page).toContain("endpoint …0e0b90, account …00000a");
  });

  it("distinguishes carriers of two countries, and orders completed in part from the others", () => {
    const dated = { dated: 2, kept: 2, moved: 0, late: 0 };
    const page = drawPage(
      {
        ...NONE,
        overview: { ...NONE.overview, completed: 154, completed_partial: 21 },
        focKept: [
          { losing_carrier: "Vodafone", country_code: "DE", ...dated },
          { losing_carrier: "manual", country_code: "US", ...dated },
        ],
      },
      PERIOD,
    );
    expect(page).toContain("Vodafone, DE");
    expect(page).toContain("By phone or mail, US");
    expect(textOf(page)).toContain("154 21 of them in part; 0 cancelled");
  });

  it("names median and 90 %, and colours no column whose values are alike", () => {
    const row = { country_code: "US", orders: 3, median_seconds: 0.4, p90_seconds: 1.2 };
    const rows = [
      { ...row, losing_carrier: null, country_code: null, status: "submitted" },
      ...["BT", "EE"].flatMap((losing_carrier, n) => [
        { ...row, losing_carrier, status: "submitted" },
        { ...row, losing_carrier, status: "in_process", median_seconds: 10 + 90 * n },
      ]),
    ];
    const page = drawPage({ ...NONE, timeInStatus: rows }, PERIOD);
    expect(textOf(page)).toContain("median 0.4 s 90 % within 1.2 s, 3 orders");
    expect(page.match(/class="figure shade-\d"/g)).toHaveLength(2);
  });

  it("may load and run nothing but its own style", () => {
    const page = drawPage(NONE, PERIOD);
    const [, style = ""] = /<style>([^]*)<\/style>/.exec(page) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(style.length).toBeGreaterThan(0);
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(page).not.toMatch(/\b(src|href|style)=|url\(|@import/);
  });

  it("says so where a period has nothing to show", () => {
    const page = drawPage(NONE, PERIOD);
    expect(page.match(/class="empty"/g)).toHaveLength(7);
    expect(page).toContain("DATABASE_URL is not set");
    expect(page).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

describe("the axis of a chart over time", () => {
  it("has the unit that gives at most a hundred steps, and every step of it", () => {
    const first = new Date("2026-11-20T10:00:00Z");
    const later = (minutes: number): Date => new Date(first.getTime() + minutes * 60_000);
    const units = [0, 90, 91, 5_760, 5_761, 144_000, 144_001, 1_008_000, 1_008_001].map((minutes) =>
      unitOf(first, later(minutes)),
    );
    expect(units).toEqual([
      "minute",
      "minute",
      "hour",
      "hour",
      "day",
      "day",
      "week",
      "week",
      "month",
    ]);
    expect(everyStep(first, later(3), "minute")).toEqual([0, 1, 2, 3].map(later));
    const months = everyStep(
      new Date("2026-11-01T00:00:00Z"),
      new Date("2027-02-01T00:00:00Z"),
      "month",
    );
    expect(months.map((at) => at.toISOString().slice(0, 7))).toEqual([
      "2026-11",
      "2026-12",
      "2027-01",
      "2027-02",
    ]);
  });
});
