import { createHash } from "node:crypto";
import { recordset, recordsetValue } from "../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import {
  OUTBOX_ROW,
  outboxInsert,
  outboxRows,
  type OutgoingMessage,
} from "../../platform/outbox/outbox.ts";

/** Where a message lies on its topic. */
export interface Place {
  readonly partition: number;
  readonly offset: number;
}

/** Whether a message is the first with its id, another one with the same content, or the first one once more. */
export type Claim = "first" | "repeated" | "redelivered";

/** What is known of an id that was claimed before. */
export interface KnownClaim {
  readonly same: boolean;
  readonly redelivered: boolean | null;
}

/** @throws `update_conflict` where the id was used with other content */
export function claimOf(known: KnownClaim | undefined): Claim {
  // The same bytes, whatever this version reads in them.
  if (known?.redelivered === true) return "redelivered";
  if (known?.same === true) return "repeated";
  throw new AppError("update_conflict", "The update_id was already used with other content.");
}

/** What tells whether two updates have the same content. */
export interface ContentHash {
  /** Of the content without its nulls: a nullable field that a later version adds does not change it. */
  readonly bytes: Buffer;
  /** With them, as versions up to 0.4.0 stored it; goes with the next release, before a schema gets another field. */
  readonly withNulls: Buffer;
}

export function hashContent(content: object): ContentHash {
  const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
  const withoutNulls = (_name: string, value: unknown): unknown => value ?? undefined;
  return {
    bytes: sha256(JSON.stringify(content, withoutNulls)),
    withNulls: sha256(JSON.stringify(content)),
  };
}

export interface UpdateClaim extends Place {
  readonly provider: string;
  readonly updateId: string;
  readonly orderId: string;
  readonly contentHash: ContentHash;
  readonly at: Date;
  /** What the first claim sends; the caller holds the lock of the order, which is their key. */
  readonly messages: readonly OutgoingMessage[];
}

const CLAIM_UPDATE = `with claimed as (
    insert into carriers.updates
      (provider, update_id, order_id, content_hash, received_at, source_partition, source_offset)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (provider, update_id) do nothing returning update_id
  ), sent as (
    ${outboxInsert(recordset("$8", OUTBOX_ROW), "exists (select 1 from claimed)")}
  )
  select update_id from claimed`;

/** Claims a provider's id of an update. @throws `update_conflict` where it was used with other content */
export async function claimUpdate(tx: Queryable, claim: UpdateClaim): Promise<Claim> {
  const { provider, updateId, orderId, contentHash, at, partition, offset, messages } = claim;
  const sent = recordsetValue(OUTBOX_ROW, outboxRows(messages));
  const claimed = await queryRows(tx, {
    name: "carrier-update-claim",
    text: CLAIM_UPDATE,
    values: [provider, updateId, orderId, contentHash.bytes, at, partition, offset, sent],
  });
  if (claimed.length === 1) return "first";
  // A separate statement: an insert that waited for the other claim does not see its row.
  const [known] = await queryRows<KnownClaim>(tx, {
    name: "carrier-update-known",
    text: `select content_hash in ($3, $4) as same, source_partition = $5 and source_offset = $6 as redelivered
      from carriers.updates where provider = $1 and update_id = $2`,
    values: [provider, updateId, contentHash.bytes, contentHash.withNulls, partition, offset],
  });
  return claimOf(known);
}
