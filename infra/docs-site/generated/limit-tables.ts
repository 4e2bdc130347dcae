import { readConfig as readApiConfig, republishedPerMinute } from "../../../services/api/config.ts";
import { STREAMS_PER_ACCOUNT } from "../../../services/api/events/stream/event-streams.ts";
import { MAX_AHEAD_DAYS, MAX_NUMBERS, MAX_REFERENCE } from "../../../services/api/orders/body.ts";
import { MOST_SAVED } from "../../../services/api/requirement-groups/saved-requirements.ts";
import { MOST_GROUPS } from "../../../services/api/requirement-groups/store.ts";
import { LONGEST_S, SHORTEST_S } from "../../../services/api/portal/routes.ts";
import { MAX_DOCUMENT_BYTES } from "../../../services/domain/document/rules/document.ts";
import { MAX_COMMENTS } from "../../../services/domain/order/store/comments.ts";
import { MAX_ENDPOINTS } from "../../../services/domain/webhook/rules/endpoint.ts";
import { readConfig as readLifecycleConfig } from "../../../services/order-lifecycle/config.ts";
import { MAX_JSON_DEPTH } from "../../../services/platform/http/body/parse-json.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../../../services/platform/http/paging.ts";
import { REPLAY_MS } from "../../../services/platform/idempotency/start-idempotency.ts";
import { MAX_URL_LENGTH } from "../../../services/platform/net/url-rules.ts";
import { readConfig as readSenderConfig } from "../../../services/webhook-sender/config.ts";

/** A value for each setting of the services that has no default, where only the defaults matter. */
export const REQUIRED_SETTINGS = {
  DATABASE_URL: "postgresql://localhost/porting",
  KAFKA_BROKERS: "kafka:9092",
  SCHEMA_REGISTRY_URL: "http://registry:8081",
  SECRETS_KEY: "key",
  DOCUMENTS_DIR: "/documents",
};

type Row = readonly (string | number)[];

/** A table of Markdown; cells may hold markup of a line. */
export function markdownTable(head: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row): string =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** `` `a`, `b` ``; a dash for none. */
export function codeList(values: readonly string[]): string {
  return values.length === 0 ? "–" : values.map((value) => `\`${value}\``).join(", ");
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** `5400000` → `1 hour 30 minutes`. */
function timeText(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [name, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
  }
  return parts.length === 0 ? "0 seconds" : parts.join(" ");
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1_048_576;
const count = (value: number): string => value.toLocaleString("en-US");

/** What an account may do at once or in a minute; an operator may set others. */
export function quotaTable(): string {
  const config = readApiConfig(REQUIRED_SETTINGS);
  const { RATE_LIMIT_PER_MINUTE: rate, RATE_LIMIT_BURST: burst } = config;
  return markdownTable(
    ["Limit of an account", "Default", "Beyond it"],
    [
      ["Requests a minute", `${count(rate)}, ${count(burst)} at once`, "429 `rate_limited`"],
      [
        "Requests that run at once, per API process",
        count(config.ACCOUNT_CONCURRENCY),
        "they wait for a second, then 429 `rate_limited`",
      ],
      ["Drafts", count(config.MAX_DRAFTS), "409 `quota_exceeded`"],
      ["Numbers in live orders", count(config.MAX_OPEN_NUMBERS), "409 `quota_exceeded`"],
      [
        "Numbers in orders created, then deleted or cancelled, within 24 hours",
        count(config.MAX_DISCARDED_NUMBERS),
        "409 `quota_exceeded`",
      ],
      [
        "Events sent again by recoveries in 24 hours",
        count(config.MAX_RECOVERED_EVENTS),
        "409 `quota_exceeded`",
      ],
      [
        "Events republished a minute, with an hour's at once after a pause",
        count(republishedPerMinute(config)),
        "429 `rate_limited`",
      ],
      [
        "Documents uploaded in 24 hours, each counted as 1 MiB at least",
        `${count(config.MAX_UPLOADED_MIB)} MiB`,
        "409 `quota_exceeded`",
      ],
      [
        "Comments of the customer on one order or port-out",
        count(MAX_COMMENTS),
        "409 `quota_exceeded`",
      ],
      ["Webhook endpoints", MAX_ENDPOINTS, "422 `validation_failed`"],
      ["Open event streams", STREAMS_PER_ACCOUNT, "429 `rate_limited`"],
      [
        "Failed authentications a minute, per IP address or IPv6 network",
        count(config.AUTH_FAILURES_PER_MINUTE),
        "429 `rate_limited`; a valid key is not slowed by it",
      ],
      ["Connections per IP address", count(config.CONNECTIONS_PER_ADDRESS), "closed at once"],
    ],
  );
}

/** How large a request or an answer may be. */
export function sizeTable(): string {
  return markdownTable(
    ["Size", "At most"],
    [
      ["JSON body", `1 MiB, nested ${MAX_JSON_DEPTH} deep`],
      ["A document", `${MAX_DOCUMENT_BYTES / MIB} MiB: PDF, PNG, JPEG or TIFF`],
      ["Numbers in one request", count(MAX_NUMBERS)],
      ["`customer_reference`", `${MAX_REFERENCE} characters`],
      [
        "Saved holders (`/v2/requirement_groups`)",
        `${count(MOST_GROUPS)}, of ${MOST_SAVED} values each`,
      ],
      ["The URL of a webhook", `${count(MAX_URL_LENGTH)} characters`],
      ["A page of a list", `${MAX_LIMIT} objects, ${DEFAULT_LIMIT} unless asked`],
      ["`Idempotency-Key`", "255 visible ASCII characters"],
    ],
  );
}

/** What happens by itself, and when. */
export function expiryTable(): string {
  const { DRAFT_EXPIRY_DAYS, REJECTION_EXPIRY_DAYS, ...waits } =
    readLifecycleConfig(REQUIRED_SETTINGS);
  const { PORT_OUT_DECISION_HOURS, DATE_CONFIRMATION_HOURS } = waits;
  const { CANCEL_CUTOFF_HOURS, CHANGE_CUTOFF_HOURS } = readApiConfig(REQUIRED_SETTINGS);
  const days = (value: number): string => timeText(value * DAY_MS);
  const hours = (value: number): string => timeText(value * HOUR_MS);
  return markdownTable(
    ["What", "After", "What happens"],
    [
      [
        "A draft that nobody touches",
        days(DRAFT_EXPIRY_DAYS),
        "it is deleted: `porting_order.deleted`",
      ],
      [
        "A rejection that nobody answers",
        days(REJECTION_EXPIRY_DAYS),
        "the order is closed: `cancelled`, `closed_by` ops",
      ],
      [
        "A port-out that nobody decides",
        hours(PORT_OUT_DECISION_HOURS),
        "it goes ahead: `expired`, then the numbers leave",
      ],
      [
        "Cancelling an order with a FOC date",
        `${hours(CANCEL_CUTOFF_HOURS)} before it`,
        "409 `cancel_too_late`",
      ],
      [
        "Asking for a change of an order with a FOC date",
        `${hours(CHANGE_CUTOFF_HOURS)} before it`,
        "409 `change_too_late`",
      ],
      [
        "A FOC date before the requested one that nobody confirms",
        `${hours(DATE_CONFIRMATION_HOURS)}, halfway to a date that is nearer than twice that`,
        "the carrier is asked for the requested one again",
      ],
      ["`foc_requested`", `${MAX_AHEAD_DAYS} days ahead`, "422 `validation_failed`"],
      [
        "An `Idempotency-Key`",
        timeText(REPLAY_MS),
        "it is forgotten, and the key can be used again",
      ],
      [
        "A portal link",
        `${timeText(SHORTEST_S * 1_000)} to ${timeText(LONGEST_S * 1_000)}, as you choose`,
        "it ends, with every browser that it let in",
      ],
      ["An endpoint without one success", pauseText(), "it is paused: `paused_by` system"],
      ["Events", "never", "they are kept permanently"],
    ],
  );
}

/** When an endpoint that only fails is paused. */
function pauseText(): string {
  const { WEBHOOK_PAUSE_AFTER, WEBHOOK_PAUSE_FAILED, WEBHOOK_PAUSE_SPAN } =
    readSenderConfig(REQUIRED_SETTINGS);
  const failed = `${WEBHOOK_PAUSE_FAILED} failed deliveries`;
  return `${timeText(WEBHOOK_PAUSE_AFTER)} and ${failed}, the last at least ${timeText(WEBHOOK_PAUSE_SPAN)} after the first`;
}

/** The attempts of a delivery. */
export function retryTable(): string {
  const { WEBHOOK_RETRY_SCHEDULE: steps } = readSenderConfig(REQUIRED_SETTINGS);
  let total = 0;
  const retries = steps.map(({ delayMs }, n) => {
    total += delayMs;
    return [n + 2, `${timeText(delayMs)} later`, timeText(total)];
  });
  return markdownTable(
    ["Attempt", "Made", "Since the event"],
    [[1, "at once", "less than a second, as a rule"], ...retries],
  );
}
