import { createHmac, timingSafeEqual } from "node:crypto";

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
