import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RegistryLogin, SaslLogin } from "../../services/platform/command-line.ts";
import { writeFileAtomically } from "../atomic-file.ts";

/** Passwords by the name of who logs in with them. */
export type Passwords = Readonly<Record<string, string>>;

const fileSchema = z.record(z.string(), z.string().min(1));

/** The passwords that a file keeps for these names, and new ones for those that have none yet. */
export function ensurePasswords(path: string, names: readonly string[]): Passwords {
  const kept = existsSync(path) ? fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))) : {};
  const asked = Object.fromEntries(names.map((name) => [name, kept[name] ?? newPassword()]));
  writeFileAtomically(path, `${JSON.stringify({ ...kept, ...asked }, null, 2)}\n`, 0o600);
  return asked;
}

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** The user of `npm start` itself and of an operator's commands, whom no ACL restricts. */
export const KAFKA_ADMIN = "admin";

/** How everybody logs in to the embedded broker. */
export const SASL_MECHANISM = "SCRAM-SHA-512";

/** The passwords of the embedded broker's users, by name; `admin` is one of them. */
export type KafkaUsers = Passwords;

/** What only a folder has in which the product has run. */
const TRACES = ["bootstrap.json", "kafka", "postgres"];

/** What to warn an operator of before new passwords are made, where those of an earlier start are lost; null if none are. */
export function lostUsersLine(dataDir: string): string | null {
  const has = (name: string): boolean => existsSync(join(dataDir, name));
  if (has("kafka-users.json") || !TRACES.some(has)) return null;
  return `kafka-users.json is missing in ${dataDir}, though the product has run here: every user of Kafka, the carriers' too, gets a new password. To keep the old ones, stop now and copy the file back`;
}

/** The kept passwords of the given users, and new ones of those that have none yet. */
export function ensureKafkaUsers(dataDir: string, names: readonly string[]): KafkaUsers {
  return ensurePasswords(join(dataDir, "kafka-users.json"), [KAFKA_ADMIN, ...names]);
}

/** How a user logs in. @throws {TypeError} where there is none of that name */
export function kafkaLogin(users: KafkaUsers, username: string): SaslLogin {
  const password = users[username];
  if (password === undefined) throw new TypeError(`Kafka has no user ${username}`);
  return { mechanism: SASL_MECHANISM, username, password };
}

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
