import { createHash, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { RegistryLogin } from "../../services/platform/command-line.ts";
import { ensurePasswords } from "./kept-passwords.ts";

/** Reads and looks up: services and carriers. */
export const REGISTRY_READER = "reader";
/** Registers: `npm run topics`, and an operator's commands. */
export const REGISTRY_WRITER = "writer";

const USERS = [REGISTRY_READER, REGISTRY_WRITER] as const;

type RegistryUser = (typeof USERS)[number];

/** The password of each user. */
export type RegistryPasswords = Readonly<Record<RegistryUser, string>>;

/** Four times our largest schema for whoever looks one up: to compare one of 673 kB costs the registry 5 s. */
export const MOST_BODY_KIB: Readonly<Record<RegistryUser, number>> = { reader: 128, writer: 1024 };

/** The kept passwords, and new ones of users that have none yet. */
export function ensureRegistryPasswords(dataDir: string): RegistryPasswords {
  const kept = ensurePasswords(join(dataDir, "registry-logins.json"), USERS);
  return { reader: kept[REGISTRY_READER] ?? "", writer: kept[REGISTRY_WRITER] ?? "" };
}

export function registryLogin(passwords: RegistryPasswords, username: RegistryUser): RegistryLogin {
  return { username, password: passwords[username] };
}

/** Base of Confluent's API, all that is passed on. */
export const CONFLUENT_API = "/apis/ccompat/v7";

/** Without what another parser could take for a separator or a way up. */
const PLAIN_PATH = /^\/apis\/ccompat\/v7(\/[\w~:+-][\w.~:+-]*)+$/;
const LOOK_UP =
  /^\/apis\/ccompat\/v7\/(subjects\/[^/]+|compatibility\/subjects\/[^/]+\/versions(\/[^/]+)?)$/;

export interface RegistryRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly authorization: string | undefined;
}

/** The status that a request is refused with; null: it may pass. */
export function refusalOf(
  { method, target, authorization }: RegistryRequest,
  passwords: RegistryPasswords,
): 401 | 403 | 404 | null {
  const user = registryUserOf(authorization, passwords);
  if (user === null) return 401;
  const [path = "", query = ""] = target.split("?", 2);
  if (!PLAIN_PATH.test(path)) return 404;
  if (method === "GET" || method === "HEAD") return null;
  if (user === REGISTRY_READER) return method === "POST" && LOOK_UP.test(path) ? null : 403;
  // What messages were written with is needed as long as there are messages.
  const isForEver = method === "DELETE" && new URLSearchParams(query).has("permanent");
  return isForEver ? 403 : null;
}

/** How large a request's body may be. */
export function mostBodyBytes(
  authorization: string | undefined,
  passwords: RegistryPasswords,
): number {
  return MOST_BODY_KIB[registryUserOf(authorization, passwords) ?? REGISTRY_READER] * 1024;
}

/** Who logs in; null for nobody that the registry knows. */
export function registryUserOf(
  authorization: string | undefined,
  passwords: RegistryPasswords,
): RegistryUser | null {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return null;
  const given = Buffer.from(encoded, "base64").toString();
  return USERS.find((user) => isSame(given, `${user}:${passwords[user]}`)) ?? null;
}

function isSame(one: string, other: string): boolean {
  const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashOf(one), hashOf(other));
}
