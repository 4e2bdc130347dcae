import { beforeAll, expect, it } from "@jest/globals";
import type pg from "pg";
import {
  claimUpdate,
  hashContent,
  type Claim,
  type ContentHash,
} from "../../../services/carrier-adapter/store/update-claims.ts";
import { newId } from "../../../services/platform/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const NOW = new Date("2026-03-02T12:00:00Z");

let database: TestDatabase;
let first: pg.Client;
let second: pg.Client;
let updateId = "7";

beforeAll(async () => {
  database = await createTestDatabase();
  first = await connectClient(database.url);
  second = await connectClient(database.url);
});

function claim(tx: pg.Client, content: string, offset = 0): Promise<Claim> {
  return claimHash(tx, hashContent({ content, comment: null }), offset);
}

function claimHash(tx: pg.Client, contentHash: ContentHash, offset: number): Promise<Claim> {
  const orderId = newId(NOW);
  const place = { partition: 0, offset };
  const id = { provider: "manual", updateId };
  return claimUpdate(tx, { ...id, orderId, contentHash, at: NOW, ...place, messages: [] });
}

async function isWaiting(): Promise<void> {
  const { rows } = await first.query(
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  expect(rows).toHaveLength(1);
}

/** The waiting update saw no row of the other, was taken for a repeat of it, and was lost without a dead letter. */
it("an update_id that is used for two orders at once is a conflict for the second", async () => {
  await first.query("begin");
  expect(await claim(first, "of an order")).toBe("first");
  await second.query("begin");
  const late = claim(second, "of another order", 1).catch((error: unknown) => error);
  await eventually(isWaiting);
  await first.query("commit");
  expect(await late).toMatchObject({ code: "update_conflict" });
  await second.query("rollback");
  expect(await claim(second, "of an order")).toBe("redelivered");
  expect(await claim(second, "of an order", 1)).toBe("repeated");
});

it("an update that a version up to 0.4.0 claimed is the same still", async () => {
  updateId = "8";
  const { withNulls } = hashContent({ content: "of an order", comment: null });
  expect(await claimHash(first, { bytes: withNulls, withNulls }, 0)).toBe("first");
  expect(await claim(second, "of an order", 1)).toBe("repeated");
  await expect(claim(second, "of another order", 1)).rejects.toMatchObject({
    code: "update_conflict",
  });
});
