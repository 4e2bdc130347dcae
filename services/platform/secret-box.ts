import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

import { AppError } from "./errors.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** How many of the bytes, at their start, are nonce and tag. */
export const SEALED_HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** A sealed secret: nonce, tag and ciphertext concatenated, and the id of its key. */
export interface Sealed {
  readonly bytes: Buffer;
  readonly keyId: string;
}

/**
 * Seals short secrets for storage; `aad` is the id of the owning row, so that a secret cannot be opened
 * for another row.
 */
export interface SecretBox {
  seal(plain: string | Buffer, aad: string): Sealed;
  /** The text. @throws `internal` if the key is unknown, or bytes and `aad` do not belong together */
  open(sealed: Sealed, aad: string): string;
  openBytes(sealed: Sealed, aad: string): Buffer;
}

/** The id of a key, stored with what it sealed: the first 8 hex digits of its SHA-256. */
export function keyIdOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

/**
 * Keys from base64 texts of 32 bytes each.
 * @throws `invalid_config` without any part of the keys
 */
export function parseSecretKeys(texts: readonly string[]): Buffer[] {
  const keys = texts.map((text) => Buffer.from(text, "base64"));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new AppError("invalid_config", "SECRETS_KEY must be the base64 of 32 random bytes.");
  }
  return keys;
}

/** A box that seals with the first key and opens with any of them. */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const [current] = keys;
  if (current === undefined) throw new AppError("invalid_config", "A secret box needs a key.");
  const currentId = keyIdOf(current);
  const keyById = new Map(keys.map((key) => [keyIdOf(key), key]));
  const openBytes: SecretBox["openBytes"] = ({ bytes, keyId }, aad) => {
    const key = keyById.get(keyId);
    if (key === undefined) {
      throw new AppError("internal", `A stored secret needs the key ${keyId}, which is not known.`);
    }
    return unseal(key, bytes, aad);
  };
  return {
    seal(plain, aad) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current, nonce).setAAD(Buffer.from(aad));
      const text = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()]);
      return { bytes: Buffer.concat([nonce, cipher.getAuthTag(), text]), keyId: currentId };
    },
    open: (sealed, aad) => openBytes(sealed, aad).toString("utf8"),
    openBytes,
  };
}

function unseal(key: Buffer, bytes: Buffer, aad: string): Buffer {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, SEALED_HEAD_BYTES);
  const text = bytes.subarray(SEALED_HEAD_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(aad))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch (cause) {
    throw new AppError("internal", "A stored secret does not belong to its row.", { cause });
  }
}
