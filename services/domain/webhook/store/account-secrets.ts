import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import { newSigningSecret, overlapEnd, type RotatedSecret } from "../rules/signature.ts";

interface SecretContext {
  readonly accountId: string;
  readonly box: SecretBox;
  readonly now: Date;
}

const ENSURE = `with made as (
    insert into webhooks.account_secrets (account_id, signing_secret, secret_key_id, created_at)
    values ($1, $2, $3, $4) on conflict (account_id) do nothing
    returning signing_secret, secret_key_id
  )
  select signing_secret, secret_key_id from made
  union all
  select signing_secret, secret_key_id from webhooks.account_secrets where account_id = $1`;

interface SecretRow {
  readonly signing_secret: Buffer;
  readonly secret_key_id: string;
}

/** The secret that signs deliveries to orders' own `webhook_url`, created when it is first needed. */
export async function ensureAccountSecret(
  db: Queryable,
  { accountId, box, now }: SecretContext,
): Promise<string> {
  const sealed = box.seal(newSigningSecret(), accountId);
  for (;;) {
    const [row] = await queryRows<SecretRow>(db, {
      name: "account-secret-ensure",
      text: ENSURE,
      values: [accountId, sealed.bytes, sealed.keyId, now],
    });
    // A row that another process committed while this statement ran is visible only to the next statement.
    if (row === undefined) continue;
    return box.open({ bytes: row.signing_secret, keyId: row.secret_key_id }, accountId);
  }
}

const ADD = `insert into webhooks.account_secrets (account_id, signing_secret, secret_key_id, created_at)
  values ($1, $2, $3, $4)`;

/** The secret of a new account, which is handed out with its first key; call in the account's transaction. */
export async function addAccountSecret(
  tx: Queryable,
  { accountId, box, now }: SecretContext,
): Promise<string> {
  const secret = newSigningSecret();
  const { bytes, keyId } = box.seal(secret, accountId);
  await queryRows(tx, {
    name: "account-secret-add",
    text: ADD,
    values: [accountId, bytes, keyId, now],
  });
  return secret;
}

/** Without an earlier secret there is nothing that could overlap. */
const ROTATE = `insert into webhooks.account_secrets as s
    (account_id, signing_secret, secret_key_id, created_at)
  values ($1, $2, $3, $4)
  on conflict (account_id) do update set signing_secret = excluded.signing_secret,
    secret_key_id = excluded.secret_key_id, created_at = excluded.created_at,
    previous_secret = case when $5::timestamptz is not null then s.signing_secret end,
    previous_secret_key_id = case when $5::timestamptz is not null then s.secret_key_id end,
    previous_secret_expires_at = $5
  returning previous_secret_expires_at`;

/** Replaces the account's secret; the new one is shown only once. At most two are valid at a time. */
export async function rotateAccountSecret(
  db: Queryable,
  { accountId, box, now }: SecretContext,
  overlapSeconds: number,
): Promise<RotatedSecret> {
  const secret = newSigningSecret();
  const { bytes, keyId } = box.seal(secret, accountId);
  const [row] = await queryRows<{ previous_secret_expires_at: Date | null }>(db, {
    name: "account-secret-rotate",
    text: ROTATE,
    values: [accountId, bytes, keyId, now, overlapEnd(overlapSeconds, now)],
  });
  return { secret, previousExpiresAt: row?.previous_secret_expires_at ?? null };
}
