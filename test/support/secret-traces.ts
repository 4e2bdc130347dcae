import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodeOf } from "../../services/platform/errors.ts";

/** The secret as it may appear in bytes: as text, UTF-16, hexadecimal, and base64 at any position. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const utf16 = Buffer.from(secret, "utf16le");
  const hex = bytes.toString("hex");
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // The characters at both ends also depend on the neighbouring bytes.
    return text.replaceAll("=", "").slice(before === 0 ? 0 : before + 1, -2);
  });
  const texts = [hex, hex.toUpperCase(), ...inBase64].map((text) => Buffer.from(text));
  return [bytes, utf16, Buffer.from(utf16).swap16(), ...texts];
}

/** Which of the secrets the bytes contain in any form. */
export function secretsIn(bytes: Buffer, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => formsOf(secret).some((form) => bytes.includes(form)));
}

/** Every file below the folder that contains one of the secrets, with them. */
export function filesWith(folder: string, secrets: readonly string[]): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return secretsIn(readIfThere(path), secrets).map((secret) => `${path}: ${secret}`);
    });
}

/** Postgres removes files while it runs. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
