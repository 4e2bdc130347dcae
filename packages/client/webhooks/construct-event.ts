import { PortingError } from "../errors.ts";
import type { WebhookEvent } from "../feed/porting-event.ts";
import { findSignatureFault, type SignatureFault } from "./signature-fault.ts";

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
