import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readConfig as readApiConfig } from "../services/api/config.ts";
import { readConfig as readLifecycleConfig } from "../services/order-lifecycle/config.ts";
import { readConfig as readDeskConfig } from "../services/desk/config.ts";
import { readConfig as readSenderConfig } from "../services/webhook-sender/config.ts";
import { REQUIRED_SETTINGS } from "./docs-site/generated/limit-tables.ts";
import { projectRoot } from "./project-root.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The defaults of the contract (docs/contract/customer-api.md, Conventions; docs/contract/customer-api.md, Transitions;
 * docs/contract/customer-api.md, Webhook endpoints; docs/contract/messages.md, What the services say to each other;
 * docs/contract/desk-api.md, Desk API: operators' side, served by desk; docs/contract/interface-specification.md, Limits).
 */
const DEFAULTS = [
  [
    readApiConfig,
    {
      API_PORT: 3_000,
      RATE_LIMIT_PER_MINUTE: 600,
      RATE_LIMIT_BURST: 100,
      AUTH_FAILURES_PER_MINUTE: 60,
      ACCOUNT_CONCURRENCY: 20,
      CONNECTIONS_PER_ADDRESS: 200,
      MAX_DRAFTS: 1_000,
      MAX_OPEN_NUMBERS: 100_000,
      MAX_DISCARDED_NUMBERS: 10_000,
      MAX_RECOVERED_EVENTS: 200_000,
      MAX_UPLOADED_MIB: 20_480,
      CANCEL_CUTOFF_HOURS: 48,
      CHANGE_CUTOFF_HOURS: 48,
      DRAFT_EXPIRY_DAYS: 30,
      REJECTION_EXPIRY_DAYS: 14,
      CORS_ORIGINS: [],
      WEBHOOK_ALLOW_HTTP: false,
      WEBHOOK_ALLOW_CIDRS: [],
    },
  ],
  [
    readLifecycleConfig,
    {
      DRAFT_EXPIRY_DAYS: 30,
      REJECTION_EXPIRY_DAYS: 14,
      FOC_GRACE_HOURS: 24,
      CARRIER_SILENCE_HOURS: 48,
      PORT_OUT_DECISION_HOURS: 24,
      DATE_CONFIRMATION_HOURS: 24,
    },
  ],
  [
    readDeskConfig,
    {
      DESK_PORT: 3_001,
      CONNECTIONS_PER_ADDRESS: 200,
      CLAIM_LAPSE: 15 * MINUTE_MS,
      DRAFT_EXPIRY_DAYS: 30,
      REJECTION_EXPIRY_DAYS: 14,
      SANDBOX: false,
    },
  ],
  [
    readSenderConfig,
    {
      WEBHOOK_RETRY_SCHEDULE: [
        { name: "1m", delayMs: MINUTE_MS },
        { name: "5m", delayMs: 5 * MINUTE_MS },
        { name: "30m", delayMs: 30 * MINUTE_MS },
        { name: "2h", delayMs: 2 * HOUR_MS },
        { name: "6h", delayMs: 6 * HOUR_MS },
      ],
      WEBHOOK_PAUSE_AFTER: 120 * HOUR_MS,
      WEBHOOK_PAUSE_FAILED: 10,
      WEBHOOK_PAUSE_SPAN: 12 * HOUR_MS,
      WEBHOOK_ALLOW_HTTP: false,
      WEBHOOK_ALLOW_CIDRS: [],
    },
  ],
] as const;

const rows = DEFAULTS.flatMap(([readConfig, wanted]) =>
  Object.entries(wanted).map(([name, value]) => ({ name, value, readConfig })),
);

describe("a setting that the contract gives a default", () => {
  it.each(rows)("has it where nothing is set: $name", ({ name, value, readConfig }) => {
    expect(new Map(Object.entries(readConfig(REQUIRED_SETTINGS))).get(name)).toEqual(value);
  });

  it.each([
    ["DRAFT_EXPIRY_DAYS", readLifecycleConfig],
    ["REJECTION_EXPIRY_DAYS", readLifecycleConfig],
    ["PORT_OUT_DECISION_HOURS", readLifecycleConfig],
    ["CANCEL_CUTOFF_HOURS", readApiConfig],
    ["CHANGE_CUTOFF_HOURS", readApiConfig],
    ["DATE_CONFIRMATION_HOURS", readLifecycleConfig],
  ] as const)("takes decimals: %s", (name, readConfig) => {
    const config = readConfig({ ...REQUIRED_SETTINGS, [name]: "0.25" });
    expect(new Map(Object.entries(config)).get(name)).toBe(0.25);
  });

  it("has another one only where the contract names it: npm start plays the sandbox carrier", () => {
    const example = readFileSync(join(projectRoot, ".env.example"), "utf8").split("\n");
    expect(example).toEqual(
      expect.arrayContaining(["SANDBOX=true", "DEFAULT_PROVIDER=sandbox", "EVENTS_RETENTION="]),
    );
  });
});
