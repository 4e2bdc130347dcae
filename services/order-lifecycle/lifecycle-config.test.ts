import { expect, it } from "@jest/globals";
import { portOutDecisionMs, readConfig, waitSpans } from "./config.ts";
import { decisionDeadline } from "./handlers/on-carrier-result.ts";

const HOUR_MS = 3_600_000;
const env = {
  DATABASE_URL: "postgres://h/d",
  KAFKA_BROKERS: "h:1",
  SCHEMA_REGISTRY_URL: "http://h:1",
  SECRETS_KEY: "key",
};

it("each wait is as long as its setting says, and each other stays as it is by default", () => {
  const byDefault = {
    draft_expiry: 30 * 24 * HOUR_MS,
    rejection_expiry: 14 * 24 * HOUR_MS,
    foc_grace: 24 * HOUR_MS,
    carrier_silence: 48 * HOUR_MS,
    date_confirmation: 24 * HOUR_MS,
  };
  const spansOf = (given: Record<string, string>) => waitSpans(readConfig({ ...env, ...given }));
  expect(spansOf({})).toEqual(byDefault);
  const settings = [
    ["DRAFT_EXPIRY_DAYS", "0.5", { draft_expiry: 12 * HOUR_MS }],
    ["REJECTION_EXPIRY_DAYS", "1", { rejection_expiry: 24 * HOUR_MS }],
    ["FOC_GRACE_HOURS", "0", { foc_grace: 0 }],
    ["CARRIER_SILENCE_HOURS", "1", { carrier_silence: HOUR_MS }],
    ["DATE_CONFIRMATION_HOURS", "0", { date_confirmation: 0 }],
  ] as const;
  for (const [name, value, span] of settings) {
    expect(spansOf({ [name]: value })).toEqual({ ...byDefault, ...span });
  }
});

it("a port-out goes on without a decision after PORT_OUT_DECISION_HOURS from its receipt", () => {
  const now = new Date("2026-11-02T09:00:00.000Z");
  const deadlineFor = (given: Record<string, string>) =>
    decisionDeadline(now, portOutDecisionMs(readConfig({ ...env, ...given })));
  expect(deadlineFor({})).toEqual(new Date("2026-11-03T09:00:00.000Z"));
  expect(deadlineFor({ PORT_OUT_DECISION_HOURS: "0.5" })).toEqual(
    new Date("2026-11-02T09:30:00.000Z"),
  );
});
