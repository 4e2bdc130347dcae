import { randomFillSync } from "node:crypto";
import { v5, v7 } from "uuid";

const DERIVED_NAMESPACE = "6f1c1c2e-7d0b-5a53-9d2a-0b9f0c3d5e11";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const ID_BYTES = 16;
/** Random bytes are drawn for many ids at once, since each draw costs more than an id. */
const entropy = new Uint8Array(256 * ID_BYTES);
let spent = entropy.length;

function randomOfOneId(): Uint8Array {
  if (spent === entropy.length) {
    randomFillSync(entropy);
    spent = 0;
  }
  spent += ID_BYTES;
  return entropy.subarray(spent - ID_BYTES, spent);
}

/** The number of the last id within its millisecond, which begins anywhere below half of what 32 bits hold. */
const last = { msecs: NaN, seq: 0 };

/** A version 7 UUID whose time is `at`; those that a process draws for one time after another sort as they are drawn. */
export function newId(at: Date): string {
  const msecs = at.getTime();
  const isFirst = msecs !== last.msecs;
  last.seq = isFirst ? Math.floor(Math.random() * 0x7fff_ffff) : last.seq + 1;
  last.msecs = msecs;
  return v7({ msecs, seq: last.seq, random: randomOfOneId() });
}

/** `count` version 7 UUIDs of one instant that sort in the order returned. */
export function newIds(at: Date, count: number): string[] {
  return Array.from({ length: count }, () => newId(at));
}

/** The same UUID for the same text, for ids that must be stable across retries. */
export function derivedId(text: string): string {
  return v5(text, DERIVED_NAMESPACE);
}

/** Matches a UUID of any version in lower case, for patterns that hold one. */
export const UUID_PATTERN = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Whether text is a UUID in the canonical lower-case form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The UUID that text is in any case, in lower case; null where it is none, or nothing. */
export function uuidIn(text: string | null | undefined): string | null {
  const id = text?.toLowerCase() ?? "";
  return isUuid(id) ? id : null;
}

/** Whether an id is a version 7 UUID, which holds the time at which it was drawn. */
export function isTimeOrdered(id: string): boolean {
  return isUuid(id) && id[14] === "7";
}

/** The instant inside a version 7 UUID. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
