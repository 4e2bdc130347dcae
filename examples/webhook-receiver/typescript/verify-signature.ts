import { createHmac, timingSafeEqual } from "node:crypto";

export type Refusal =
  | "missing_header"
  | "malformed_header"
  | "timestamp_outside_tolerance"
  | "no_matching_signature";

export interface SignedRequest {
  /** The value of `Porting-Signature`: `t=<seconds>,v1=<hex>`, with a second `v1` while a secret is being rotated. */
  readonly header: string | undefined;
  /** The bytes as they arrived: parsing and writing the JSON again would change them. */
  readonly body: Buffer;
}

export interface Verifier {
  /** Every secret that may have signed, complete with its `whsec_` prefix. */
  readonly secrets: readonly string[];
  readonly nowSeconds: number;
  readonly toleranceSeconds?: number;
}

const FIVE_MINUTES = 300;

/** Null if one of the secrets signed exactly this body recently; otherwise why the request is refused. */
export function refusalOf(request: SignedRequest, verifier: Verifier): Refusal | null {
  const { header, body } = request;
  const { secrets, nowSeconds, toleranceSeconds = FIVE_MINUTES } = verifier;
  if (header === undefined || header === "") return "missing_header";
  const parts = header.split(",").map((part) => part.trim());
  const [t, ...furtherTimes] = valuesOf(parts, "t");
  const given = valuesOf(parts, "v1");
  if (t === undefined || furtherTimes.length > 0 || !/^\d{1,12}$/.test(t) || given.length === 0) {
    return "malformed_header";
  }
  if (Math.abs(nowSeconds - Number(t)) > toleranceSeconds) return "timestamp_outside_tolerance";
  const expected = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${t}.`).update(body).digest(),
  );
  const candidates = given
    .filter((text) => /^[0-9a-f]{64}$/.test(text))
    .map((text) => Buffer.from(text, "hex"));
  // Compares all of them in constant time, so that the timing does not reveal a near match.
  const matches = expected.flatMap((one) => candidates.map((other) => timingSafeEqual(one, other)));
  return matches.includes(true) ? null : "no_matching_signature";
}

function valuesOf(parts: readonly string[], name: string): string[] {
  const start = `${name}=`;
  return parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));
}
