import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The random bytes of a secret: the key of the Standard Webhooks signature. */
function secretBytes(secret: string): Buffer {
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

/** The input of a signature: the stored body of an event and the time of the attempt. */
interface Signable {
  readonly eventId: string;
  readonly body: Buffer;
  readonly at: Date;
  /** The current secret first; a second one while a rotation overlaps. */
  readonly secrets: readonly string[];
}

interface SignatureHeaders {
  readonly "Porting-Signature": string;
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * The specification's signature (docs/contract/interface-specification.md, Porting-Signature), keyed with the UTF-8
 * bytes of the whole secret, and the Standard Webhooks signature, keyed with the bytes that the secret encodes. Both use
 * the same timestamp.
 */
export function signatureHeaders({ eventId, body, at, secrets }: Signable): SignatureHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const own = secrets.map(
    (secret) =>
      `v1=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`,
  );
  const standard = secrets.map((secret) => {
    const hmac = createHmac("sha256", secretBytes(secret));
    return `v1,${hmac.update(`${eventId}.${timestamp}.`).update(body).digest("base64")}`;
  });
  return {
    "Porting-Signature": [`t=${timestamp}`, ...own].join(","),
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": standard.join(" "),
  };
}
