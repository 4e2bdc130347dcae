import { randomBytes } from "node:crypto";
import { expect, it } from "@jest/globals";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { createSecretBox } from "../../../platform/secret-box.ts";
import { readUnchangedSlugs } from "./case-values.ts";

const orderId = "018f6d2a-3c4b-7d5e-8f60-718293a4b5c6";
const box = createSecretBox([randomBytes(32)]);
const lostBox = createSecretBox([randomBytes(32)]);

/** A value now and at the attempt before, each sealed by itself. */
function sealedRow(slug: string, now: string, before: string, sealedBy = box) {
  const aad = `${orderId}/${slug}`;
  const [one, other] = [box.seal(now, aad), sealedBy.seal(before, aad)];
  const sealed = { now_value: one.bytes, now_key_id: one.keyId };
  return { slug, is_same: null, ...sealed, before_value: other.bytes, before_key_id: other.keyId };
}

const plainRow = (slug: string, is_same: boolean | null) => ({
  ...{ slug, is_same },
  ...{ now_value: null, now_key_id: null, before_value: null, before_key_id: null },
});

it("a value written again as it was is unchanged, a sealed one too", async () => {
  const rows = [
    plainRow("entity_name", true),
    plainRow("postal_code", false),
    plainRow("invoice", null),
    sealedRow("account_number", "8772-114", "8772-114"),
    sealedRow("pin_passcode", "1234", "1235"),
    sealedRow("tax_id", "A1", "A1", lostBox),
  ];
  const db = { query: () => Promise.resolve({ rows }) } as unknown as Queryable;
  const unchanged = await readUnchangedSlugs(db, box, { orderId, attempt: 2 });
  expect([...unchanged]).toEqual(["entity_name", "account_number"]);
});
