import { randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The random bytes of a secret: the key of the Standard Webhooks signature. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}

/** The answer to a rotation. */
export interface RotatedSecret {
  /** The new secret, which is shown only once. */
  readonly secret: string;
  /** Until then the previous secret signs too; null without an overlap. */
  readonly previousExpiresAt: Date | null;
}

/** The end of an overlap that begins now; null for 0 seconds: the previous secret ends at once. */
export function overlapEnd(seconds: number, now: Date): Date | null {
  return seconds === 0 ? null : new Date(now.getTime() + seconds * 1_000);
}
