import { queryRows, type Queryable } from "../../../../platform/db/transaction.ts";
import { AppError } from "../../../../platform/errors.ts";
import type { SecretBox } from "../../../../platform/secret-box.ts";
import type { EndpointAddress } from "../../../../domain/webhook/store/endpoints.ts";
import {
  newSigningSecret,
  overlapEnd,
  type RotatedSecret,
} from "../../../../domain/webhook/rules/signature.ts";

export interface Rotation {
  readonly box: SecretBox;
  /** How long the current secret stays valid too; 0 ends it at once, along with any overlap still running. */
  readonly overlapSeconds: number;
  readonly now: Date;
}

const ROTATE = `update webhooks.endpoints set signing_secret = $3, secret_key_id = $4,
    previous_secret = case when $5::timestamptz is not null then signing_secret end,
    previous_secret_key_id = case when $5::timestamptz is not null then secret_key_id end,
    previous_secret_expires_at = $5, updated_at = $6
  where account_id = $1 and id = $2 and deleted_at is null returning id`;

/** Replaces an endpoint's secret; the new one is shown only once. At most two are valid at a time. @throws `not_found` */
export async function rotateEndpointSecret(
  db: Queryable,
  { accountId, id }: EndpointAddress,
  { box, overlapSeconds, now }: Rotation,
): Promise<RotatedSecret> {
  const secret = newSigningSecret();
  const sealed = box.seal(secret, id);
  const previousExpiresAt = overlapEnd(overlapSeconds, now);
  const rows = await queryRows(db, {
    name: "endpoint-secret-rotate",
    text: ROTATE,
    values: [accountId, id, sealed.bytes, sealed.keyId, previousExpiresAt, now],
  });
  if (rows.length === 0) throw new AppError("not_found", "There is no such webhook endpoint.");
  return { secret, previousExpiresAt };
}
