import { chargedBytes, storedBytes } from "../../domain/document/store/documents.ts";
import { AppError } from "../../platform/errors.ts";
import type { ApiDeps } from "../api-deps.ts";

const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** Before a document is stored. @throws `quota_exceeded` if the account has stored too much in 24 hours */
export async function requireDocumentRoom(
  { bus: { pool, clock }, maxUploadedBytes: most }: Pick<ApiDeps, "bus" | "maxUploadedBytes">,
  accountId: string,
  size: number,
): Promise<void> {
  if (most === 0) return;
  const since = new Date(clock.now().getTime() - DAY_MS);
  const stored = await storedBytes(pool, accountId, since);
  if (stored + chargedBytes(size) <= most) return;
  const detail = `An account may upload or sign at most ${(most / MIB).toLocaleString("en")} MiB of documents in 24 hours, each counted as 1 MiB at least: send the others later.`;
  throw new AppError("quota_exceeded", detail);
}
