import { beforeAll, expect, it } from "@jest/globals";
import type pg from "pg";
import {
  queueCheck,
  takeCheck,
} from "../../../services/requirement-review/document-check/store.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const NOW = new Date("2026-03-02T12:00:00Z");
const SOON = new Date(NOW.getTime() + 60_000);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await connectClient(database.url);
});

async function queue(account_id: string, waitedMs: number): Promise<void> {
  await queueCheck(client, {
    request_id: newId(NOW),
    order_id: newId(NOW),
    account_id,
    attempt: 0,
    slug: "invoice",
    document_id: newId(NOW),
    requested_at: new Date(NOW.getTime() - waitedMs),
    traceparent: null,
  });
}

/** Two accounts with many files alternated, and a third account waited for all of their files. */
it("a third account's document is checked while two accounts have many", async () => {
  const [one, two, three] = [newId(NOW), newId(NOW), newId(NOW)];
  for (let n = 0; n < 5; n += 1) {
    await queue(one, 2_000 + n);
    await queue(two, 2_000 + n);
  }
  await queue(three, 1_000);
  let served: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { taken } = await takeCheck(client, { now: NOW, leaseUntil: SOON, served, busy: [] });
    const { account_id = "" } = taken ?? {};
    served = [...served.filter((other) => other !== account_id), account_id];
  }
  expect(served.toSorted()).toEqual([one, two, three].toSorted());
});
