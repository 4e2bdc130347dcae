import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 14;
/** Bytes from here on would favour the first characters of the alphabet. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** The prefixes of a customer's key, an operator's token, and a session of the desk's console. */
export const API_KEY = "nps_live_";
export const DESK_TOKEN = "nps_desk_";
export const DESK_SESSION = "nps_sess_";
/** The prefixes of a link into the portal and of the cookie that it is exchanged for. */
export const PORTAL_LINK = "nps_link_";
export const PORTAL_COOKIE = "nps_portal_";

/** The example in the OpenAPI document; its checksum is wrong, so it can never be a valid key. */
export const EXAMPLE_API_KEY = `${API_KEY}${"0".repeat(RANDOM_LENGTH + CHECKSUM_LENGTH)}`;

type KeyKind =
  | typeof API_KEY
  | typeof DESK_TOKEN
  | typeof DESK_SESSION
  | typeof PORTAL_LINK
  | typeof PORTAL_COOKIE;

const SHAPES: Readonly<Record<KeyKind, RegExp>> = {
  [API_KEY]: /^nps_live_[0-9A-Za-z]{38}$/,
  [DESK_TOKEN]: /^nps_desk_[0-9A-Za-z]{38}$/,
  [DESK_SESSION]: /^nps_sess_[0-9A-Za-z]{38}$/,
  [PORTAL_LINK]: /^nps_link_[0-9A-Za-z]{38}$/,
  [PORTAL_COOKIE]: /^nps_portal_[0-9A-Za-z]{38}$/,
};

/** A new key, shown once; only `prefix` and `hash` (SHA-256, 32 bytes) are stored. */
interface IssuedKey {
  readonly key: string;
  readonly prefix: string;
  readonly hash: Buffer;
}

/** A new key of 190 random bits and its checksum. */
export function issueKey(
  kind: KeyKind,
  random: (size: number) => Uint8Array = randomBytes,
): IssuedKey {
  const unchecked = kind + randomCharacters(random);
  const key = unchecked + checksumOf(unchecked);
  return { key, prefix: key.slice(0, PREFIX_LENGTH), hash: hashKey(key) };
}

/** Whether the text has the kind's shape and a valid checksum; no other key can be in the database. */
export function isWellFormed(kind: KeyKind, text: string): boolean {
  if (!SHAPES[kind].test(text)) return false;
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(0, -CHECKSUM_LENGTH));
}

/** SHA-256 of the whole key: the entropy is high, so neither salt nor a slow hash adds anything. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key, "utf8").digest();
}

function randomCharacters(random: (size: number) => Uint8Array): string {
  let text = "";
  while (text.length < RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH)) {
      if (byte < FAIR_BYTES && text.length < RANDOM_LENGTH) {
        text += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
  }
  return text;
}

/** CRC-32 in base 62, highest digit first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
