import { beforeAll, describe, expect, it } from "@jest/globals";
import { createAccount } from "../../../services/domain/account/store/accounts.ts";
import {
  issueApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../../services/domain/account/store/api-keys.ts";
import { idRange } from "../../../services/platform/db/id-range.ts";
import type { EntityDatabase } from "../../../services/platform/db/data-source.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openTestDataSource } from "../../support/stack/test-pool.ts";

const ROUNDS = 1_000;
const ALL = idRange({ direction: "asc", cursorId: null, fetch: ROUNDS * 2 }, {});

let database: TestDatabase;
let accounts: EntityDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  accounts = await openTestDataSource(database.url);
});

describe("two revocations of an account's last two keys", () => {
  it(`leave exactly one active key, in each of ${ROUNDS} races`, async () => {
    const { dataSource, pool } = accounts;
    const at = new Date();
    const { account } = await createAccount(dataSource.manager, { name: "Races", at });
    for (let round = 0; round < ROUNDS; round += 1) {
      await issueApiKey(dataSource.manager, { accountId: account.id, name: null, at });
      const active = (await listApiKeys(pool, { accountId: account.id, range: ALL })).filter(
        (key) => key.revoked_at === null,
      );
      expect(active).toHaveLength(2);
      const outcomes = await Promise.all(
        active.map(({ id }) =>
          revokeApiKey(pool, account.id, { id, at: new Date() }).then(
            () => "revoked",
            (error: unknown) => (error instanceof AppError ? error.code : String(error)),
          ),
        ),
      );
      expect(outcomes.sort()).toEqual(["last_active_key", "revoked"]);
    }
    const left = (await listApiKeys(pool, { accountId: account.id, range: ALL })).filter(
      (key) => key.revoked_at === null,
    );
    expect(left).toHaveLength(1);
  });
});
