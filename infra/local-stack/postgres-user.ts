import { AppError } from "../../services/platform/errors.ts";
import { ensureUser, isRoot, type ProcessOwner } from "./process-owner.ts";

const USER = "postgres";

/** The user for Postgres, which refuses to run as root; created where it is missing. Null unless we are root. */
export async function postgresOwner(): Promise<ProcessOwner | null> {
  if (!isRoot()) return null;
  const user = await ensureUser(USER);
  if (user !== null) return user;
  throw new AppError(
    "stack_failed",
    `Postgres cannot run as root and the user ${USER} could not be created: create it, start as another user, or set DATABASE_URL.`,
  );
}
