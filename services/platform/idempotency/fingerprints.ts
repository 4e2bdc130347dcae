import { createHmac } from "node:crypto";

/** What is stored of a request, to recognize it when it is repeated. */
export interface Fingerprints {
  of(digest: Buffer): Buffer;
  /** Whether a stored fingerprint is of the request with this digest. */
  isOf(stored: Buffer, digest: Buffer): boolean;
}

/** Fingerprints that nobody without the key can compute for a request that they guess. */
export function createFingerprints(key: Buffer): Fingerprints {
  const of = (digest: Buffer): Buffer => createHmac("sha256", key).update(digest).digest();
  return { of, isOf: (stored, digest) => stored.equals(of(digest)) };
}
