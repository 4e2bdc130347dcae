import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readQuestion } from "../../../examples/analytics/sources.ts";
import { newId } from "../../../services/platform/ids.ts";
import {
  AnalyticsData,
  DAY_MS,
  HOUR_MS,
  type KnownOrder,
  type Step,
} from "../../support/analytics/analytics-data.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const NOW = Date.now();
const ago = (days: number): Date => new Date(NOW - days * DAY_MS);
const after = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** The statement under each numbered heading of docs/analytics.md. */
const QUESTIONS = new Map(
  readFileSync(join(process.cwd(), "docs", "analytics.md"), "utf8")
    .split(/^### (?=\d+\. )/m)
    .slice(1)
    .map((part) => [
      /^\d+\. (.*)/.exec(part)?.[1] ?? "",
      /```sql\n([^`]*)```/.exec(part)?.[1] ?? "",
    ]),
);

let database: TestDatabase;
let data: AnalyticsData;

/** A port that takes `days` from submission to activation, at half past eleven in the evening at the carrier's offset. */
function port(endedDaysAgo: number, days: number, fields: Partial<KnownOrder> = {}): KnownOrder {
  const day = ago(endedDaysAgo).toISOString().slice(0, 10);
  const ended = new Date(`${day}T23:30:00-05:00`);
  const submitted = after(ended, -days);
  const steps: Step[] = [
    ["draft", after(submitted, -1), "customer"],
    ["in_review", submitted, "customer"],
    ["submitted", new Date(submitted.getTime() + 2 * HOUR_MS), "desk"],
    ["foc_scheduled", after(submitted, days / 2), "carrier"],
    ["activating", after(ended, -0.01), "carrier"],
    ["completed", ended, "carrier"],
  ];
  const foc = `${day}T10:00:00-05:00`;
  return { country: "US", carrier: "Acme", foc, activatedAt: ended, steps, ...fields };
}

async function writeOrders(): Promise<void> {
  await data.order(port(8, 2));
  const late = port(12, 4);
  await data.order({ ...late, foc: `${ago(13).toISOString().slice(0, 10)}T10:00:00-05:00` });
  const twice = port(15, 6);
  const [draft, review, ...rest] = twice.steps;
  if (draft === undefined || review === undefined) throw new Error("no steps");
  const correctedId = await data.order({
    ...twice,
    steps: [
      draft,
      review,
      ["rejection", new Date(review[1].getTime() + 4 * HOUR_MS), "desk"],
      ["in_review", new Date(review[1].getTime() + 5 * HOUR_MS), "customer"],
      ...rest.slice(0, 2).map(([to, , actor]): Step => [to, after(review[1], 1), actor]),
      ["foc_scheduled", after(review[1], 2), "carrier"],
      ...rest.slice(2),
    ],
  });
  const refusal: Step[] = [
    ["draft", ago(6), "customer"],
    ["in_review", ago(5), "customer"],
    ["submitted", ago(4), "desk"],
    ["cancelled", ago(3), "carrier"],
  ];
  const gb = { country: "GB", carrier: null };
  const refusedId = await data.order({ ...gb, closedBy: "provider", steps: refusal });
  const withdrawn: Step[] = [...refusal.slice(0, 2), ["cancelled", ago(4), "customer"]];
  await data.order({ ...gb, closedBy: "customer", steps: withdrawn });
  await data.order({ ...gb, steps: refusal.slice(0, 1) });
  await writeRejections(correctedId, refusedId);
}

async function writeRejections(correctedId: string, refusedId: string): Promise<void> {
  const name = { code: "name_mismatch", slug: "entity_name", text: "differs" };
  const corrected = { orderId: correctedId, actor: "desk", rejection: name } as const;
  await data.event("porting_order.requirement_updated", ago(20), corrected);
  // The status repeats the requirement's reason, which counts once.
  await data.event("porting_order.status_changed", ago(20), corrected);
  const rejection = { code: "not_portable", slug: null, text: null };
  await data.event("porting_order.status_changed", ago(3), { orderId: refusedId, rejection });
  await data.event("porting_order.created", ago(6), { orderId: refusedId });
}

async function writeDeliveries(): Promise<void> {
  for (const [n, [status, seconds, endpoint]] of (
    [
      ["succeeded", 1, "a"],
      ["succeeded", 3, "a"],
      ["failed", 9, "a"],
      ["pending", 0, "a"],
      ["skipped", 0, "a"],
      ["cancelled", 0, "a"],
      ["succeeded", 2, "b"],
    ] as const
  ).entries()) {
    const at = ago(1);
    await data.insert("webhooks.deliveries", {
      id: newId(at),
      created_at: at,
      account_id: data.accountId,
      event_id: newId(at),
      event_type: "porting_order.created",
      event_at: at,
      cause_id: newId(at),
      trigger: "event",
      endpoint_id: `00000000-0000-7000-8000-00000000000${endpoint}`,
      endpoint_key: `00000000-0000-7000-8000-00000000000${endpoint}`,
      url: `https://user:secret@${endpoint}.example.com:8443/hook/secret?n=${n}`,
      status,
      attempt_count: 1,
      claim_no: 0,
      priority: 0,
      by_hand: false,
      completed_at: status === "pending" ? null : new Date(at.getTime() + seconds * 1_000),
      attempt_log: [],
    });
  }
}

async function writePortOuts(): Promise<void> {
  const hours = (n: number) => new Date(ago(5).getTime() + n * HOUR_MS);
  for (const [n, [status, decision]] of (
    [
      ["approved", { by: "customer", at: hours(2), code: null, reason: null }],
      ["ported_out", { by: "customer", at: hours(4), code: null, reason: null }],
      ["rejected", { by: "system", at: hours(0), code: "pin_invalid", reason: null }],
      ["expired", null],
    ] as const
  ).entries()) {
    await data.insert("orders.port_outs", {
      id: newId(ago(5)),
      account_id: data.accountId,
      provider: "sandbox",
      port_out_ref: `ref-${n}`,
      status,
      gaining_carrier: "Other Telecom",
      requested_foc: "2026-12-20T10:00:00+01:00",
      decision,
      provider_status: "",
      event_sequence: 1,
      created_at: ago(5),
      updated_at: ago(5),
    });
  }
}

async function writeNumbers(): Promise<void> {
  for (const [n, status] of ["active", "porting_out", "ported_out", "active"].entries()) {
    await data.insert("orders.numbers", {
      account_id: data.accountId,
      phone_number: `+1212555010${n}`,
      status,
      country_code: n === 3 ? "GB" : "US",
      number_type: "local",
      provider: "sandbox",
      activated_at: ago(2),
      port_out_lock: false,
      event_sequence: 0,
    });
  }
}

const ANSWERS: Readonly<Record<string, readonly object[]>> = {
  "Median days from submission to completion, by carrier and country": [
    { losing_carrier: "Acme", country_code: "US", orders: 3, median_days: "4.0" },
  ],
  "Rejections by code": [
    { code: "name_mismatch", raised_by: "desk", rejections: 1, orders: 1 },
    { code: "not_portable", raised_by: "carrier", rejections: 1, orders: 1 },
  ],
  "First time right": [
    { country_code: "GB", ended: 1, first_time_right: 0, percent: "0.0" },
    { country_code: "US", ended: 3, first_time_right: 2, percent: "66.7" },
  ],
  "FOC dates kept": [
    {
      losing_carrier: "Acme",
      country_code: "US",
      dated: 3,
      moved: 1,
      kept: 1,
      percent: "33.3",
    },
  ],
  "Webhook success by endpoint": [
    {
      endpoint_id: "00000000-0000-7000-8000-00000000000a",
      host: "a.example.com",
      deliveries: 4,
      succeeded: 2,
      waiting: 1,
      failed: 1,
      percent: "50.0",
      p95_seconds: "2.9",
    },
    {
      endpoint_id: "00000000-0000-7000-8000-00000000000b",
      host: "b.example.com",
      deliveries: 1,
      succeeded: 1,
      waiting: 0,
      failed: 0,
      percent: "100.0",
      p95_seconds: "2.0",
    },
  ],
  "Port-out decisions": [
    {
      decided_by: "customer",
      outcome: "approved",
      rejection_code: null,
      port_outs: 2,
      hours: "3.0",
    },
    { decided_by: "nobody", outcome: "expired", rejection_code: null, port_outs: 1, hours: null },
    {
      decided_by: "system",
      outcome: "rejected",
      rejection_code: "pin_invalid",
      port_outs: 1,
      hours: "0.0",
    },
  ],
  "Calls missed": [{ phone_number: "+12125550123", calls: 4, missed: 1, percent: "25.0" }],
  "Time at the desk": [
    { country_code: "GB", reviews: 2, median_hours: "24.0", p90_hours: "24.0" },
    { country_code: "US", reviews: 4, median_hours: "3.0", p90_hours: "14.5" },
  ],
  "Re-submissions": [
    { submissions: 1, orders: 4 },
    { submissions: 2, orders: 1 },
  ],
  "Numbers live": [
    { country_code: "US", number_type: "local", provider: "sandbox", live: 2, leaving: 1 },
    { country_code: "GB", number_type: "local", provider: "sandbox", live: 1, leaving: 0 },
  ],
};

beforeAll(async () => {
  database = await createTestDatabase();
  data = new AnalyticsData(openPoolAt(database.url));
  await writeOrders();
  await writeDeliveries();
  await writePortOuts();
  await writeNumbers();
  for (const type of ["call.completed", "call.completed", "call.completed"] as const) {
    await data.event(type, ago(2), {});
  }
  await data.event("call.forwarded", ago(2), {});
  await data.event("call.missed", ago(2), {});
});

describe("the report's question on webhooks", () => {
  it("leaves out what a paused or deleted endpoint was not to get", async () => {
    const analyst = openPoolAt(database.url, { role: "porting_analyst" });
    const sql = await readQuestion(join(process.cwd(), "examples", "analytics", "sql"), "webhooks");
    const { rows } = await analyst.query(sql, [ago(7)]);
    expect(rows).toMatchObject([
      { host: "a.example.com", deliveries: 4, succeeded: 2, failed: 1, waiting: 1, attempts: 4 },
      { host: "b.example.com", deliveries: 1, succeeded: 1, failed: 0, waiting: 0, attempts: 1 },
    ]);
  });
});

describe("an analyst's ten questions", () => {
  it("are all in docs/analytics.md", () => {
    expect([...QUESTIONS.keys()]).toEqual(Object.keys(ANSWERS));
  });

  it.each(Object.entries(ANSWERS))(
    "%s: the statement answers it, by the analyst's role",
    async (question, rows) => {
      const analyst = openPoolAt(database.url, { role: "porting_analyst" });
      expect((await analyst.query(QUESTIONS.get(question) ?? "")).rows).toEqual(rows);
    },
  );
});
