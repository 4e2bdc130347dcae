import { expect, it } from "@jest/globals";
import {
  queueCheck,
  takeCheck,
} from "../../../services/requirement-review/document-check/store.ts";
import { newId } from "../../../services/platform/ids.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const HOUR_MS = 3_600_000;

// The time of a message is that of the process that published it. Where its clock was ahead, the check waited for that time.
it("checks a document at once whose request is dated an hour ahead", async () => {
  const { url } = await createTestDatabase();
  const client = await connectClient(url);
  const now = new Date();
  const request_id = newId(now);
  await queueCheck(client, {
    request_id,
    order_id: newId(now),
    account_id: newId(now),
    attempt: 0,
    slug: "invoice",
    document_id: newId(now),
    requested_at: new Date(now.getTime() + HOUR_MS),
    traceparent: null,
  });
  // A minute for the difference between the test's clock and the database's.
  const soon = new Date(now.getTime() + 60_000);
  const options = { now: soon, leaseUntil: soon, served: [], busy: [] };
  const { taken } = await takeCheck(client, options);
  expect(taken).toMatchObject({ request_id, tries: 1 });
});
