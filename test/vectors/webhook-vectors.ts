import { signatureHeaders } from "../../services/domain/webhook/rules/signature.ts";

const TOLERANCE_S = 300;
const AT_S = 1_767_225_600;
const EVENT_ID = "019b76da-a800-7000-8000-000000000001";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const OLDER_SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_SECRET = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";

export type Verdict =
  | "valid"
  | "missing_header"
  | "malformed_header"
  | "timestamp_outside_tolerance"
  | "no_matching_signature";

/** A request as a receiver gets it, with the correct verdict. */
export interface WebhookVector {
  readonly name: string;
  /** The secrets that the receiver knows. */
  readonly secrets: readonly string[];
  /** The receiver's clock, in Unix seconds. */
  readonly now: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The request's body, as UTF-8. */
  readonly body: string;
  readonly verdict: Verdict;
  /** Whether a Standard Webhooks library accepts it by `webhook-signature`. */
  readonly standard_webhooks: boolean;
}

export interface WebhookVectors {
  readonly description: string;
  readonly tolerance_seconds: number;
  readonly vectors: readonly WebhookVector[];
}

const BODY = JSON.stringify({
  id: EVENT_ID,
  type: "porting_order.requirement_updated",
  created_at: "2026-01-01T00:00:00.000Z",
  payload: {
    porting_order_id: "019b76da-a800-7000-8000-000000000002",
    requirement: {
      slug: "service_address",
      status: "requirement-info-exception",
      reason: "Straße 5 is not in “Köln” – see https://example.com/a?b=1&c=2",
    },
  },
});

/** The headers of an attempt at the vectors' time, with lower-case names as Node and the libraries expect. */
function signed(secrets: readonly string[], body = BODY): Record<string, string> {
  const at = new Date(AT_S * 1_000);
  const made = signatureHeaders({ eventId: EVENT_ID, body: Buffer.from(body), at, secrets });
  return {
    "content-type": "application/json",
    "porting-event-id": EVENT_ID,
    "porting-event-type": "porting_order.requirement_updated",
    ...Object.fromEntries(
      Object.entries(made).map(([name, value]: [string, string]) => [name.toLowerCase(), value]),
    ),
  };
}

type Given = Pick<WebhookVector, "name"> & Partial<WebhookVector>;

function vector({ verdict = "valid", ...given }: Given): WebhookVector {
  return {
    secrets: [SECRET],
    now: AT_S,
    headers: signed([SECRET]),
    body: BODY,
    verdict,
    standard_webhooks: verdict === "valid",
    ...given,
  };
}

function without(headers: Readonly<Record<string, string>>, ...names: string[]) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Each value that a receiver checks, truncated or replaced in both schemes. */
function withSignatures(change: (signature: string) => string): Record<string, string> {
  const headers = signed([SECRET]);
  return {
    ...headers,
    "porting-signature": change(headers["porting-signature"] ?? ""),
    "webhook-signature": change(headers["webhook-signature"] ?? ""),
  };
}

/** Requests of our own signer and manipulated ones, each with the correct verdict of a receiver. */
export function webhookVectors(): WebhookVectors {
  return {
    description:
      "Requests as a webhook receiver gets them, and its verdict on each. Made by npm run vectors.",
    tolerance_seconds: TOLERANCE_S,
    vectors: [...accepted(), ...ofTime(), ...ofSignature(), ...ofBody(), ...ofHeader()],
  };
}

function accepted(): WebhookVector[] {
  return [
    vector({ name: "good" }),
    vector({ name: "good, an empty payload", headers: signed([SECRET], "{}"), body: "{}" }),
    vector({
      name: "two v1, the receiver has the newer secret",
      headers: signed([SECRET, OLDER_SECRET]),
    }),
    vector({
      name: "two v1, the receiver has the older secret",
      headers: signed([SECRET, OLDER_SECRET]),
      secrets: [OLDER_SECRET],
    }),
    vector({
      name: "the receiver has two secrets, the second one signed",
      secrets: [OTHER_SECRET, SECRET],
    }),
    vector({
      name: "a version that is yet to come beside v1",
      headers: withSignatures((text) => `${text}${text.startsWith("t=") ? "," : " "}v2=00`),
    }),
  ];
}

function ofTime(): WebhookVector[] {
  const verdict = "timestamp_outside_tolerance";
  return [
    vector({ name: "as old as is tolerated", now: AT_S + TOLERANCE_S }),
    vector({ name: "old t", now: AT_S + TOLERANCE_S + 1, verdict }),
    vector({ name: "very old t", now: AT_S + 6 * 3_600, verdict }),
    vector({ name: "t ahead of the clock", now: AT_S - TOLERANCE_S - 1, verdict }),
    vector({
      name: "old t, replaced by a newer one",
      now: AT_S + 3_600,
      headers: {
        ...withSignatures((text) => text.replace(String(AT_S), String(AT_S + 3_600))),
        "webhook-timestamp": String(AT_S + 3_600),
      },
      verdict: "no_matching_signature",
    }),
  ];
}

function ofSignature(): WebhookVector[] {
  const verdict = "no_matching_signature";
  return [
    vector({ name: "wrong secret", secrets: [OTHER_SECRET], verdict }),
    vector({
      name: "two v1, the receiver has neither secret",
      headers: signed([SECRET, OLDER_SECRET]),
      secrets: [OTHER_SECRET],
      verdict,
    }),
    vector({
      name: "truncated signature",
      headers: withSignatures((text) => text.slice(0, -8)),
      verdict,
    }),
    vector({
      name: "lengthened signature",
      headers: withSignatures((text) => `${text}00`),
      verdict,
    }),
    vector({
      name: "a signature that is not hex",
      headers: withSignatures((text) => text.replace(/v1([=,]).*/s, `v1$1${"z".repeat(64)}`)),
      verdict,
    }),
  ];
}

function ofBody(): WebhookVector[] {
  const verdict = "no_matching_signature";
  const parsed: unknown = JSON.parse(BODY);
  return [
    vector({ name: "re-encoded body, indented", body: JSON.stringify(parsed, null, 2), verdict }),
    vector({
      name: "re-encoded body, escaped to ASCII",
      body: BODY.replace(
        /[^\x20-\x7e]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
      verdict,
    }),
    vector({ name: "truncated body", body: BODY.slice(0, -1), verdict }),
    vector({ name: "a line feed more", body: `${BODY}\n`, verdict }),
    vector({ name: "no body", body: "", verdict }),
  ];
}

function ofHeader(): WebhookVector[] {
  const headers = signed([SECRET]);
  return [
    vector({
      name: "missing header",
      headers: without(headers, "porting-signature", "webhook-signature"),
      verdict: "missing_header",
    }),
    vector({
      name: "header without t",
      headers: {
        ...without(headers, "webhook-timestamp"),
        "porting-signature": (headers["porting-signature"] ?? "").replace(/^t=\d+,/, ""),
      },
      verdict: "malformed_header",
    }),
    vector({
      name: "header without v1",
      headers: withSignatures((text) => text.replace("v1", "v0")),
      verdict: "malformed_header",
    }),
    vector({
      name: "a second t in front",
      headers: {
        ...headers,
        "porting-signature": `t=${AT_S - 1},${headers["porting-signature"] ?? ""}`,
      },
      verdict: "malformed_header",
      // The scheme's time has a separate header.
      standard_webhooks: true,
    }),
  ];
}
