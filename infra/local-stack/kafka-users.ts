import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { SaslLogin } from "../../services/platform/command-addresses.ts";
import { writeFileAtomically } from "../atomic-file.ts";

/** The user of `npm start` itself and of an operator's commands, whom no ACL restricts. */
export const KAFKA_ADMIN = "admin";

/** How everybody logs in to the embedded broker. */
export const SASL_MECHANISM = "SCRAM-SHA-512";

/** The passwords of the embedded broker's users, by name; `admin` is one of them. */
export type KafkaUsers = Readonly<Record<string, string>>;

const fileSchema = z.record(z.string(), z.string().min(1));

/** The kept passwords of the given users, and new ones of those that have none yet. */
export function ensureKafkaUsers(dataDir: string, names: readonly string[]): KafkaUsers {
  const path = join(dataDir, "kafka-users.json");
  const kept = existsSync(path) ? fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))) : {};
  const all = [KAFKA_ADMIN, ...names];
  const users = Object.fromEntries(all.map((name) => [name, kept[name] ?? newPassword()]));
  writeFileAtomically(path, `${JSON.stringify({ ...kept, ...users }, null, 2)}\n`, 0o600);
  return users;
}

function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** How a user logs in. @throws {TypeError} where there is none of that name */
export function kafkaLogin(users: KafkaUsers, username: string): SaslLogin {
  const password = users[username];
  if (password === undefined) throw new TypeError(`Kafka has no user ${username}`);
  return { mechanism: SASL_MECHANISM, username, password };
}
