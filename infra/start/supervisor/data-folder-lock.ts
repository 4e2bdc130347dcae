import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AppError, errorCodeOf } from "../../../services/platform/errors.ts";
import { isAlive, markOf, type ProcessMark } from "./process-identity.ts";

const holderSchema = z.object({ pid: z.number().int().positive(), began: z.string() });

/** Null where there is none, and where the file is empty, as a power failure may leave it. */
function readHolder(path: string): ProcessMark | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return null;
    throw error;
  }
  return text.replaceAll("\0", "").trim() === "" ? null : holderSchema.parse(JSON.parse(text));
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a dead holder; a live process that took it in the meantime gets it back. */
function clearStale(path: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder !== null && isAlive(holder)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/**
 * Locks a data folder for this process; returns the function that releases it. The lock of a dead process is replaced.
 * @throws `stack_failed` where a live process holds the lock
 */
export function lockDataFolder(folder: string): () => void {
  const path = join(folder, "lock.json");
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify(markOf(process.pid)));
  try {
    for (let tries = 0; tries < 20; tries += 1) {
      if (tryLink(own, path)) return () => rmSync(path, { force: true });
      const holder = readHolder(path);
      if (holder !== null && isAlive(holder)) {
        throw new AppError(
          "stack_failed",
          `Another npm start (pid ${holder.pid}) already runs on ${folder}: stop it first, or set DATA_DIR to another folder.`,
        );
      }
      clearStale(path);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new AppError(
    "stack_failed",
    `Could not lock ${folder}: remove ${path} if no npm start runs there.`,
  );
}
