import { createAccount, findFirstAccount } from "../../services/domain/account/store/accounts.ts";
import { API_KEY, DESK_TOKEN, isWellFormed } from "../../services/domain/account/rules/api-key.ts";
import { findKeyHolder, issueApiKey } from "../../services/domain/account/store/api-keys.ts";
import { writeAudit } from "../../services/domain/account/store/audit-log.ts";
import {
  addOperator,
  findFirstAdmin,
  findTokenHolder,
  issueOperatorToken,
} from "../../services/domain/account/store/operators.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import {
  inTransaction,
  queryRows,
  type Queryable,
} from "../../services/platform/db/transaction.ts";
import { createLogger } from "../../services/platform/logger.ts";

export interface FirstAccess {
  readonly api_key: string;
  readonly desk_token: string;
}

const FIRST_ACCESS_LOCK = 7_202_612;
const STARTED = { id: null, name: "first start" };

/**
 * A valid key and token: the kept ones if they are still valid, else new ones of the first account and the
 * first operator, which are created where there are none. Safe to run concurrently.
 */
export async function ensureFirstAccess(
  databaseUrl: string,
  kept: FirstAccess | null,
): Promise<FirstAccess> {
  const log = createLogger("first-access", "warn");
  const pool = createPool({
    url: databaseUrl,
    service: "first-access",
    size: 2,
    log,
  });
  try {
    return await inTransaction(pool, (tx) => ensure(tx, kept));
  } finally {
    await pool.end();
  }
}

async function ensure(tx: Queryable, kept: FirstAccess | null): Promise<FirstAccess> {
  await queryRows(tx, { text: "select pg_advisory_xact_lock($1)", values: [FIRST_ACCESS_LOCK] });
  const keeps = kept !== null;
  return {
    api_key: keeps && (await isLiveKey(tx, kept.api_key)) ? kept.api_key : await newKey(tx),
    desk_token:
      keeps && (await isLiveToken(tx, kept.desk_token)) ? kept.desk_token : await newToken(tx),
  };
}

async function isLiveKey(tx: Queryable, key: string): Promise<boolean> {
  return isWellFormed(API_KEY, key) && (await findKeyHolder(tx, key)) !== null;
}

async function isLiveToken(tx: Queryable, token: string): Promise<boolean> {
  return isWellFormed(DESK_TOKEN, token) && (await findTokenHolder(tx, token)) !== null;
}

async function newKey(tx: Queryable): Promise<string> {
  const at = systemClock.now();
  const first = await findFirstAccount(tx);
  if (first !== null) {
    const { record, key } = await issueApiKey(tx, { accountId: first.id, name: null, at });
    const after = { api_key_id: record.id, prefix: record.prefix };
    const action = "api_key.issued";
    await writeAudit(tx, { at, operator: STARTED, action, accountId: first.id, after });
    return key;
  }
  const name = "First account";
  const { account, apiKey } = await createAccount(tx, { name, at });
  const action = "account.created";
  await writeAudit(tx, { at, operator: STARTED, action, accountId: account.id, after: { name } });
  return apiKey;
}

async function newToken(tx: Queryable): Promise<string> {
  const at = systemClock.now();
  const { id, name } = (await findFirstAdmin(tx)) ?? (await newOperator(tx, at));
  const { record, token } = await issueOperatorToken(tx, { operatorId: id, at });
  const after = { operator: { id, name }, token_id: record.id, prefix: record.prefix };
  await writeAudit(tx, { at, operator: STARTED, action: "operator_token.issued", after });
  return token;
}

async function newOperator(tx: Queryable, at: Date) {
  return addOperator(tx, { name: "First operator", role: "admin", at });
}
