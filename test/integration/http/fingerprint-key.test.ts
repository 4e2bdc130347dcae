import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { rotateSecrets } from "../../../infra/secrets/rotate-secrets.ts";
import type { DividedPool } from "../../../services/platform/db/pool.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { openFingerprintKey } from "../../../services/platform/idempotency/start-idempotency.ts";
import { createSecretBox, keyIdOf } from "../../../services/platform/secret-box.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

let database: TestDatabase;
let pool: DividedPool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { size: 8 });
});

const open = (keys: readonly Buffer[], db = pool): Promise<Buffer> =>
  openFingerprintKey(db, createSecretBox(keys));

describe("the key of the fingerprints", () => {
  it("is generated once, however many processes ask for it at the same time", async () => {
    const front = ["porting_api", "porting_desk"] as const;
    const pools = front.map((role) => openPoolAt(database.url, { role }));
    const found = await Promise.all(
      Array.from({ length: 4 }).flatMap(() => pools.map((db) => open([OLD], db))),
    );
    const keys = new Set(found.map((key) => key.toString("hex")));
    expect(keys.size).toBe(1);
    expect(found[0]).toHaveLength(32);
    expect((await open([OLD])).equals(found[0] ?? Buffer.of())).toBe(true);
  });

  it("is sealed: the database does not have it", async () => {
    const key = await open([OLD]);
    const rows = await queryRows<{ purpose: string; sealed_key: Buffer; sealed_key_id: string }>(
      pool,
      { text: "select * from messaging.generated_keys" },
    );
    expect(rows).toEqual([
      {
        purpose: "idempotency",
        sealed_key: expect.any(Buffer),
        sealed_key_id: keyIdOf(OLD),
      },
    ]);
    expect(rows[0]?.sealed_key.includes(key)).toBe(false);
  });

  it("stays the same when it is sealed under a new key", async () => {
    const key = await open([OLD, NEW]);
    expect((await open([NEW, OLD])).equals(key)).toBe(true);
    const { places } = await rotateSecrets(pool, [NEW, OLD]);
    expect(places.find(({ place }) => place.table === "messaging.generated_keys")).toMatchObject({
      rewrapped: 1,
      unreadable: 0,
      remaining: new Map(),
    });
    expect((await open([NEW])).equals(key)).toBe(true);
  });

  it("is not replaced where its own key is unknown, which is named", async () => {
    const key = await open([OLD]);
    await expect(open([NEW])).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(`sealed under ${keyIdOf(OLD)}`),
    });
    expect((await open([OLD])).equals(key)).toBe(true);
  });
});
