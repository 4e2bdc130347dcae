import type { Pool } from "pg";
import { countUnderOtherKeys, rewrapPlace, type KeyChange } from "./store/rewrap.ts";
import { SEALED_PLACES, type SealedPlace } from "./sealed-places.ts";
import { createSecretBox, keyIdOf } from "../../services/platform/secret-box.ts";

/** A limit, because a service that does not have the new key yet keeps encrypting under the old one. */
const MAX_PASSES = 10;

export interface RotatedPlace {
  readonly place: SealedPlace;
  readonly rewrapped: number;
  readonly unreadable: number;
  /** By key id: how many values are still under a key other than the current one. */
  readonly remaining: ReadonlyMap<string, number>;
}

export interface Rotated {
  readonly currentId: string;
  readonly olderIds: readonly string[];
  readonly places: readonly RotatedPlace[];
}

/** Re-wraps every encrypted value under the first of the keys; services that have all of them may run at the same time. */
export async function rotateSecrets(pool: Pool, keys: readonly Buffer[]): Promise<Rotated> {
  const [currentId = "", ...others] = keys.map(keyIdOf);
  const olderIds = others.filter((id) => id !== currentId);
  const change = { box: createSecretBox(keys), currentId, olderIds };
  const places: RotatedPlace[] = [];
  for (const place of SEALED_PLACES) places.push(await rotatePlace(pool, place, change));
  return { currentId, olderIds, places };
}

async function rotatePlace(
  pool: Pool,
  place: SealedPlace,
  change: KeyChange,
): Promise<RotatedPlace> {
  let rewrapped = 0;
  let unreadable = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const passed = await rewrapPlace(pool, place, change);
    rewrapped += passed.rewrapped;
    unreadable = passed.unreadable;
    // Another pass finds rows that were locked or written during this one.
    if (passed.rewrapped === 0) break;
  }
  const remaining = await countUnderOtherKeys(pool, place, change.currentId);
  return { place, rewrapped, unreadable, remaining };
}

/** The report: a line per place and per key that is still needed. */
export function linesOf({ currentId, olderIds, places }: Rotated): string[] {
  return [
    `Re-wrapping under the key ${currentId}.`,
    ...places.flatMap(({ place, rewrapped, unreadable, remaining }) => {
      const left = [...remaining.values()].reduce((sum, count) => sum + count, 0);
      const name = `${place.table}.${place.bytes}`;
      return [
        `${name}: ${rewrapped} re-wrapped, ${left} remain under other keys`,
        ...[...remaining].map(([keyId, count]) => {
          const known = olderIds.includes(keyId) ? "" : ", which is not in SECRETS_KEY";
          return `  ${count} under ${keyId}${known}`;
        }),
        ...(unreadable === 0 ? [] : [`  ${unreadable} cannot be decrypted with their key`]),
      ];
    }),
    isDone(places)
      ? "Done: no other key is needed."
      : "Not done: keep the other keys, and run this again.",
  ];
}

export function isDone(places: readonly RotatedPlace[]): boolean {
  return places.every(({ remaining }) => remaining.size === 0);
}
