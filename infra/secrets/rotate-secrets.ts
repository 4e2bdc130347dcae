import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pool } from "pg";
import { AppError } from "../../services/platform/errors.ts";
import { createSecretBox, keyIdOf, parseSecretKeys } from "../../services/platform/secret-box.ts";
import {
  countUnderOtherKeys,
  rewrapPlace,
  SEALED_PLACES,
  type KeyChange,
  type SealedPlace,
} from "./store/rewrap.ts";

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

/**
 * The secret keys for a command line program, the one that encrypts first: the environment's, else those of
 * `npm start`.
 * @throws `invalid_config`
 */
export async function findSecretKeys(env: NodeJS.ProcessEnv): Promise<readonly Buffer[]> {
  const given = env["SECRETS_KEY"] ?? "";
  const text =
    given === "" ? await readKeyFile(join(env["DATA_DIR"] ?? ".data", "secrets.key")) : given;
  return readSecretKeys(text);
}

/** The keys of the text of `SECRETS_KEY`, the one that encrypts first. @throws `invalid_config` */
export function readSecretKeys(text: string): readonly Buffer[] {
  return parseSecretKeys(
    text
      .split(",")
      .map((key) => key.trim())
      .filter((key) => key !== ""),
  );
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new AppError("invalid_config", `SECRETS_KEY is not set and ${path} does not exist.`, {
      cause,
    });
  }
}
