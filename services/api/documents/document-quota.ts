import { chargedBytes, storedBytes } from "../../domain/document/store/documents.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ApiDeps } from "../api-deps.ts";

const DAY_MS = 86_400_000;
const MIB = 1_048_576;

interface QuotaContext extends Pick<ApiDeps, "bus" | "maxUploadedBytes"> {
  readonly db: Queryable;
}

/** Before a document is stored. @throws `quota_exceeded` if the account has stored too much in 24 hours */
export async function requireDocumentRoom(
  { db, bus: { clock }, maxUploadedBytes: most }: QuotaContext,
  accountId: string,
  size: number,
): Promise<void> {
  if (most === 0) return;
  const since = new Date(clock.now().getTime() - DAY_MS);
  const stored = await storedBytes(db, accountId, since);
  if (stored + chargedBytes(size) <= most) return;
  const detail = `An account may upload or sign at most ${(most / MIB).toLocaleString("en")} MiB of documents in 24 hours, each counted as 1 MiB at least: send the others later.`;
  throw new AppError("quota_exceeded", detail);
}
