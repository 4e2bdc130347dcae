import { createHash, createHmac, hkdfSync } from "node:crypto";
import { UUID_PATTERN } from "../ids.ts";

export interface Fingerprinted {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  /** The parsed body; a file in it is represented by its `sha256`. */
  readonly body: unknown;
}

/** Recognize the same request. The first is stored; what was stored before may be any of them. */
export type Fingerprints = readonly [Buffer, ...Buffer[]];

export type FingerprintsOf = (request: Fingerprinted) => Fingerprints;

const KEY_BYTES = 32;
const UUIDS = new RegExp(UUID_PATTERN, "gi");

/**
 * Fingerprints over method, path, query and body that only a holder of the keys can compute: from a plain hash, whoever
 * reads the database could find a PIN by trying all. The first of `secretKeys` makes those that are stored.
 */
export function createFingerprints(secretKeys: readonly Buffer[]): FingerprintsOf {
  const [key, ...before] = secretKeys.map(
    (secret) => new Uint8Array(hkdfSync("sha256", secret, "", "idempotent request", KEY_BYTES)),
  );
  if (key === undefined) throw new RangeError("fingerprints need a key");
  return (request) => {
    const text = textOf(request);
    const under = (one: Uint8Array): Buffer => createHmac("sha256", one).update(text).digest();
    // Versions before 0.3 stored this one, whose replies are kept for a day.
    const plain = createHash("sha256").update(text).digest();
    return [under(key), ...before.map(under), plain];
  };
}

function textOf({ method, path, search, body }: Fingerprinted): string {
  // An id in capitals is that id.
  const place = path.replace(UUIDS, (id) => id.toLowerCase());
  return JSON.stringify([method, place, search, canonical(body)]);
}

/** Normalizes the order of properties, and replaces bytes and a received file by their hash. */
function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (value instanceof Uint8Array) return { sha256: hashOf(value) };
  if (Array.isArray(value)) return value.map(canonical);
  if ("sha256" in value && "head" in value) return { sha256: value.sha256 };
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
