import { createHmac, timingSafeEqual } from "node:crypto";
import { PortingError } from "./errors.ts";
import type { WebhookEvent } from "./feed.ts";

/** Headers as `fetch` or as Node's `http` has them; names in any case. */
export type WebhookHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a webhook is checked with. */
export interface Verifier {
  /** Every secret that may have signed: two while one is being rotated. */
  readonly secrets: readonly string[];
  /** How far from now the time of the signature may be; 300 s unless given. */
  readonly toleranceSeconds?: number;
  /** The receiver's clock, in Unix seconds. */
  readonly nowSeconds?: number;
}

const SENTENCES: Readonly<Record<SignatureFault | "malformed_body", string>> = {
  missing_header: "The request has no Porting-Signature header.",
  malformed_header: "The Porting-Signature header is not t=<seconds>,v1=<hex>.",
  timestamp_outside_tolerance: "The signature is too old, or its time is ahead of this clock.",
  no_matching_signature: "None of the secrets signed this body.",
  malformed_body: "The body is signed, but it is not an event.",
};

/** The request is not a webhook of the service, or not a recent one: answer it 401. */
export class WebhookError extends PortingError {
  override readonly name = "WebhookError";
  readonly reason: SignatureFault | "malformed_body";

  constructor(reason: SignatureFault | "malformed_body") {
    super(SENTENCES[reason]);
    this.reason = reason;
  }
}

/**
 * The event of a webhook whose signature holds and is at most 300 s old. `body` is the raw body: JSON that was parsed and
 * written again is another. While a secret is being rotated, give both.
 * @throws WebhookError; TypeError if there is no secret
 */
export function constructEvent(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[] | Verifier,
): WebhookEvent {
  const { secrets, toleranceSeconds = 300, nowSeconds = now() } = verifierOf(secret);
  if (secrets.every((one) => one === "")) throw new TypeError("There is no secret to check with.");
  const check = { body, secrets, nowSeconds, toleranceSeconds };
  const fault = findSignatureFault(headerOf(headers, "porting-signature"), check);
  if (fault !== null) throw new WebhookError(fault);
  const event = readEvent(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
  if (event === null) throw new WebhookError("malformed_body");
  return event;
}

function verifierOf(secret: string | readonly string[] | Verifier): Verifier {
  if (typeof secret === "string") return { secrets: [secret] };
  return "secrets" in secret ? secret : { secrets: secret };
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (hasGet(headers)) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (found === undefined) return null;
  return typeof found === "string" ? found : (found[0] ?? null);
}

/** Told by the method, not by the class: a framework may bring its own class. */
function hasGet(headers: WebhookHeaders): headers is Pick<Headers, "get"> {
  return typeof headers.get === "function";
}

function readEvent(text: string): WebhookEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    const isEvent = typeof value === "object" && value !== null && "id" in value && "type" in value;
    return isEvent ? (value as WebhookEvent) : null;
  } catch {
    return null;
  }
}

/** What an event's webhooks have of it. */
export interface Sent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly payload: unknown;
}

/** The body of an event's webhooks, byte for byte. */
export function webhookBody({ id, type, created_at, payload }: Sent): string {
  return JSON.stringify({ id, type, created_at, payload });
}

export interface Signing {
  readonly eventId: string;
  readonly eventType: string;
  readonly secret: string;
  readonly atSeconds: number;
}

/** The headers of a webhook as the service sends it: for a receiver's own tests, and for `nps listen`. */
export function webhookHeaders(body: string, signing: Signing): Record<string, string> {
  const { eventId, eventType, secret, atSeconds } = signing;
  const t = String(atSeconds);
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${eventId}.${t}.${body}`).digest("base64");
  return {
    "Content-Type": "application/json",
    "Porting-Event-Id": eventId,
    "Porting-Event-Type": eventType,
    "Porting-Signature": `t=${t},v1=${digestOf(secret, t, body).toString("hex")}`,
    "webhook-id": eventId,
    "webhook-timestamp": t,
    "webhook-signature": `v1,${standard}`,
  };
}

/** Why a webhook is refused. */
export type SignatureFault =
  | "missing_header"
  | "malformed_header"
  | "timestamp_outside_tolerance"
  | "no_matching_signature";

/** `Porting-Signature`, taken apart. */
export interface ReadSignature {
  /** As it was signed: Unix seconds. */
  readonly t: string;
  /** The digests, in hex; two while a rotation of the secret overlaps. */
  readonly v1: readonly string[];
}

export interface Check {
  /** The bytes as they arrived; text counts as UTF-8. */
  readonly body: string | Uint8Array;
  /** Every secret that may have signed, complete with its `whsec_`. */
  readonly secrets: readonly string[];
  readonly nowSeconds: number;
  readonly toleranceSeconds: number;
}

/** Null if one of the secrets signed exactly this body recently. */
export function findSignatureFault(header: string | null, check: Check): SignatureFault | null {
  if (header === null || header === "") return "missing_header";
  const signature = readSignature(header);
  if (signature === null) return "malformed_header";
  const { nowSeconds, toleranceSeconds } = check;
  // Written so that a tolerance that is not a number accepts nothing.
  if (!(Math.abs(nowSeconds - Number(signature.t)) <= toleranceSeconds)) {
    return "timestamp_outside_tolerance";
  }
  return isSignedBy(signature, check.secrets, check.body) ? null : "no_matching_signature";
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]`; other names are ignored. Null for anything else. */
export function readSignature(header: string): ReadSignature | null {
  const parts = header.split(",").map((part) => part.trim());
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [t, ...furtherTimes] = valuesOf("t");
  const v1 = valuesOf("v1");
  const isWhole = t !== undefined && furtherTimes.length === 0 && v1.length > 0;
  return isWhole && /^\d{1,12}$/.test(t) ? { t, v1 } : null;
}

/** Whether one of the secrets signed this body at that time; compares all of them in constant time. */
export function isSignedBy(
  { t, v1 }: ReadSignature,
  secrets: readonly string[],
  body: string | Uint8Array,
): boolean {
  const given = v1
    .filter((hex) => /^[0-9a-f]{64}$/.test(hex))
    .map((hex) => Buffer.from(hex, "hex"));
  const matches = secrets
    // Anybody could sign with an empty secret, such as that of a variable that is not set.
    .filter((secret) => secret !== "")
    .map((secret) => digestOf(secret, t, body))
    .flatMap((expected) => given.map((one) => timingSafeEqual(one, expected)));
  return matches.includes(true);
}

/** HMAC-SHA256 of `<t>.<body>`, keyed with the whole secret. */
export function digestOf(secret: string, t: string, body: string | Uint8Array): Buffer {
  return createHmac("sha256", secret).update(`${t}.`).update(body).digest();
}
