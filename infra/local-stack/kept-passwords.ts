import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
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
