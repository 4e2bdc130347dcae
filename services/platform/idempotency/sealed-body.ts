import { hkdfSync } from "node:crypto";
import { createSecretBox, type SecretBox } from "../secret-box.ts";
import type { ReplyAddress } from "./reply-store.ts";

const KEY_BYTES = 32;
const KEY_ID_LENGTH = 8;

/** A box that only the holder of the API key can open: the stored hash of the key is not enough. */
function boxOf(credential: string): SecretBox {
  const key = hkdfSync("sha256", credential, "", "idempotent answer", KEY_BYTES);
  return createSecretBox([Buffer.from(key)]);
}

function aadOf({ owner, key }: ReplyAddress): string {
  return `${owner} ${key}`;
}

/** Seals a response that contains a secret under the API key of its request. */
export function sealBody(text: string, credential: string, address: ReplyAddress): Buffer {
  const { bytes, keyId } = boxOf(credential).seal(text, aadOf(address));
  return Buffer.concat([Buffer.from(keyId, "latin1"), bytes]);
}

/** Null if the request uses another key of the account. */
export function openBody(sealed: Buffer, credential: string, address: ReplyAddress): string | null {
  const keyId = sealed.subarray(0, KEY_ID_LENGTH).toString("latin1");
  const bytes = sealed.subarray(KEY_ID_LENGTH);
  try {
    return boxOf(credential).open({ bytes, keyId }, aadOf(address));
  } catch {
    // Another API key's box does not know the key id.
    return null;
  }
}
