import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { keyIdOf } from "../platform/secret-box.ts";

const PURPOSE = "port-out pin";
const KEY_BYTES = 32;

/** A keyed hash of a PIN, and the id of the secret key behind it. */
export interface PinMac {
  readonly bytes: Buffer;
  readonly keyId: string;
}

/** The PIN of a carrier's update; the hashes of the same PIN in two updates differ. */
export interface GivenPin {
  readonly provider: string;
  readonly updateId: string;
  readonly pin: string | null;
}

export interface PinMacs {
  /** Null where the update has no PIN. */
  of(given: GivenPin): PinMac | null;
  /** True also where that cannot be known: without a hash, or where its key is no longer known. */
  mayBe(mac: PinMac | null, given: GivenPin): boolean;
}

/**
 * Hashes of PINs that only a holder of the keys can compute: from a plain one, whoever reads the database could find the
 * few digits by trying all. The first key makes new ones.
 */
export function createPinMacs(secretKeys: readonly Buffer[]): PinMacs {
  const keys = secretKeys.map((secret) => ({
    id: keyIdOf(secret),
    key: Buffer.from(hkdfSync("sha256", secret, "", PURPOSE, KEY_BYTES)),
  }));
  const [current] = keys;
  if (current === undefined) throw new RangeError("PINs are hashed with a key");
  return {
    of: (given) =>
      given.pin === null ? null : { bytes: macOf(current.key, given), keyId: current.id },
    mayBe: (mac, given) => {
      const known = keys.find(({ id }) => id === mac?.keyId);
      if (mac === null || known === undefined) return true;
      return timingSafeEqual(mac.bytes, macOf(known.key, given));
    },
  };
}

function macOf(key: Buffer, { provider, updateId, pin }: GivenPin): Buffer {
  return createHmac("sha256", key)
    .update(JSON.stringify([provider, updateId, pin]))
    .digest();
}
