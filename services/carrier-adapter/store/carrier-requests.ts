import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";

export interface SentRequest {
  readonly request_id: string;
  /** Null for a request about a number. */
  readonly order_id: string | null;
  readonly request_version: number | null;
  readonly provider: string;
  readonly kind: string;
  readonly sent_at: Date;
}

/** Records a request to a carrier; a request that is sent again keeps its first row. */
export async function recordRequest(tx: Queryable, request: SentRequest): Promise<void> {
  await queryRows(tx, {
    name: "carrier-request-record",
    text: `insert into carriers.requests (request_id, order_id, request_version, provider, kind, sent_at)
      values ($1, $2, $3, $4, $5, $6) on conflict (request_id) do nothing`,
    values: [
      request.request_id,
      request.order_id,
      request.request_version,
      request.provider,
      request.kind,
      request.sent_at,
    ],
  });
}

export interface UpdateClaim {
  readonly provider: string;
  readonly updateId: string;
  readonly orderId: string;
  readonly contentHash: Buffer;
  readonly at: Date;
}

/**
 * True for the first of a provider's updates with this id; false for its repeat.
 * @throws `update_conflict` where the id was used with other content
 */
export async function claimUpdate(tx: Queryable, claim: UpdateClaim): Promise<boolean> {
  const claimed = await queryRows(tx, {
    name: "carrier-update-claim",
    text: `insert into carriers.updates (provider, update_id, order_id, content_hash, received_at)
      values ($1, $2, $3, $4, $5) on conflict (provider, update_id) do nothing returning 1`,
    values: [claim.provider, claim.updateId, claim.orderId, claim.contentHash, claim.at],
  });
  if (claimed.length === 1) return true;
  // A separate statement: an insert that waited for the other claim does not see its row.
  const [known] = await queryRows<{ same: boolean }>(tx, {
    name: "carrier-update-known",
    text: `select content_hash = $3 as same from carriers.updates
      where provider = $1 and update_id = $2`,
    values: [claim.provider, claim.updateId, claim.contentHash],
  });
  if (known?.same !== true) {
    throw new AppError("update_conflict", "The update_id was already used with other content.");
  }
  return false;
}
