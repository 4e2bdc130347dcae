import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SaslLogin } from "../../services/platform/command-line.ts";
import { ensurePasswords, type Passwords } from "./kept-passwords.ts";

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
