import { beforeAll, describe, expect, it } from "@jest/globals";
import { queryRows } from "../../services/platform/db/transaction.ts";
import { testPdf } from "../support/documents/test-document.ts";
import { uploadToOrder } from "../support/documents/upload-to-order.ts";
import { call, dataOf, type Answer } from "../support/http/call.ts";
import { temporaryFolder } from "../support/lifetime/temporary-folder.ts";
import type { CustomerAccess } from "../support/orders/fulfil-order.ts";
import { createAccount } from "../support/product/create-account.ts";
import { startOwnProduct, type OwnProduct } from "../support/product/product.ts";
import { openPoolAt } from "../support/stack/test-pool.ts";

const MIB = 1_048_576;
/** Of a page: the entry in which it is full, and what entries have beside their texts. */
const PAGE_MARGIN = 32_768;
const MAX_DRAFTS = 8;
const MAX_OPEN_NUMBERS = 12;
const MAX_DISCARDED_NUMBERS = 20;
const MAX_UPLOADED_MIB = 2;

let product: OwnProduct;
let serial = 1_000;

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "api#2", "desk"],
    env: {
      MAX_DRAFTS: String(MAX_DRAFTS),
      MAX_OPEN_NUMBERS: String(MAX_OPEN_NUMBERS),
      MAX_DISCARDED_NUMBERS: String(MAX_DISCARDED_NUMBERS),
      MAX_UPLOADED_MIB: String(MAX_UPLOADED_MIB),
      DOCUMENTS_DIR: temporaryFolder("documents"),
    },
  });
});

const newNumbers = (count: number): string[] =>
  Array.from({ length: count }, () => `+1212555${String((serial += 1))}`);

/** Creates an order in one of the two API processes. */
function create(key: string, phone_numbers: readonly string[], headers = {}): Promise<Answer> {
  const process = serial % 2 === 0 ? "api" : "api#2";
  const url = `${product.supervisor.service(process).url()}/v2/porting_orders`;
  return call(url, { method: "POST", key, headers, body: { phone_numbers } });
}

async function countOrders({ apiUrl, apiKey: key }: CustomerAccess): Promise<number> {
  return dataOf(await call(`${apiUrl}/v2/porting_orders?limit=250`, { key })).length;
}

const codes = (answers: readonly Answer[]): (string | number)[] =>
  answers.map(({ status, body }) => (status === 201 ? status : String(body?.["code"])));

describe("an account's quota", () => {
  it("of drafts holds for creations that race in two processes, with and without an Idempotency-Key", async () => {
    const [ours, others] = [
      await createAccount(product, "Ours"),
      await createAccount(product, "Others"),
    ];
    const racing = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        create(
          ours.apiKey,
          newNumbers(1),
          n % 3 === 0 ? { "Idempotency-Key": `creation-${n}` } : {},
        ),
      ),
    );
    expect(codes(racing).filter((code) => code === 201)).toHaveLength(MAX_DRAFTS);
    expect(codes(racing).filter((code) => code === "quota_exceeded")).toHaveLength(24 - MAX_DRAFTS);
    expect(await countOrders(ours)).toBe(MAX_DRAFTS);
    expect((await create(others.apiKey, newNumbers(1))).status).toBe(201);
  });

  it("of open numbers refuses a request as a whole, and has room again after a cancellation", async () => {
    const { apiUrl, apiKey: key } = await createAccount(product, "Numbers");
    const first = await create(key, newNumbers(10));
    expect(
      codes([first, await create(key, newNumbers(3)), await create(key, newNumbers(2))]),
    ).toEqual([201, "quota_exceeded", 201]);
    const id = String(dataOf(first)[0]?.["id"]);
    await call(`${apiUrl}/v2/porting_orders/${id}/cancel`, { method: "POST", key });
    expect((await create(key, newNumbers(10))).status).toBe(201);
  });

  it("of discarded numbers counts what was deleted, cancelled or taken out of an order, since what it stored stays", async () => {
    const { apiUrl, apiKey: key } = await createAccount(product, "Discards");
    const pathOf = (answer: Answer): string =>
      `${apiUrl}/v2/porting_orders/${String(dataOf(answer)[0]?.["id"])}`;
    const [first = "", ...others] = newNumbers(10);
    const deleted = pathOf(await create(key, [first, ...others]));
    await call(deleted, { method: "PATCH", key, body: { remove_phone_numbers: others } });
    await call(deleted, { method: "DELETE", key });
    const cancelled = pathOf(await create(key, newNumbers(10)));
    await call(`${cancelled}/cancel`, { method: "POST", key });
    const refused = await create(key, newNumbers(1));
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: "quota_exceeded", detail: expect.stringMatching(/at most 20 numbers in orders/) },
    ]);
  });

  it("of documents counts each that was uploaded within a day, also one that was replaced", async () => {
    const access = await createAccount(product, "Uploads");
    const [order] = dataOf(await create(access.apiKey, newNumbers(1)));
    const upload = () =>
      uploadToOrder(access, { orderId: String(order?.["id"]), content: testPdf() });
    expect([(await upload()).status, (await upload()).status]).toEqual([200, 200]);
    const refused = await upload();
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: "quota_exceeded", detail: expect.stringMatching(/sign at most 2 MiB of documents/) },
    ]);
  });

  it("of comments holds for each order, and a page of long ones ends after a mebibyte", async () => {
    const { apiUrl, apiKey: key } = await createAccount(product, "Comments");
    const [made, other] = [await create(key, newNumbers(1)), await create(key, newNumbers(1))];
    const idOf = (answer: Answer): string => String(dataOf(answer)[0]?.["id"]);
    const comments = (id: string): string => `${apiUrl}/v2/porting_orders/${id}/comments`;
    const write = (id: string, body: string) =>
      call(comments(id), { method: "POST", key, body: { body } });
    const id = idOf(made);
    const long = "€".repeat(4_000);
    for (let n = 0; n < 90; n += 1) expect((await write(id, long)).status).toBe(201);
    const desk = `${product.deskUrl}/desk/v1/orders/${id}/comments`;
    for (const [url, as] of [
      [comments(id), key],
      [comments(id).replace("/comments", "/timeline"), key],
      [desk, product.deskToken],
    ] as const) {
      const { body } = await call(`${url}?limit=250`, { key: as });
      expect(body).toMatchObject({ has_more: true });
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(MIB + PAGE_MARGIN);
      expect(body).not.toHaveProperty("data.0.bytes_before");
    }
    await queryRows(openPoolAt(product.databaseUrl), {
      text: `insert into orders.comments (id, order_id, account_id, author_type, author_id, body, created_at)
        select gen_random_uuid(), order_id, account_id, author_type, author_id, 'x', created_at
        from (select * from orders.comments where order_id = $1 limit 1) c, generate_series(1, 909)`,
      values: [id],
    });
    expect((await write(id, "The last.")).status).toBe(201);
    const refused = await write(id, "One more.");
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: "quota_exceeded", detail: expect.stringMatching(/at most 1,000 comments/) },
    ]);
    expect((await write(idOf(other), "Of another order.")).status).toBe(201);
  });

  it("is not charged for a request that is refused for another reason", async () => {
    const { apiKey: key } = await createAccount(product, "Twice");
    const [taken = ""] = newNumbers(1);
    await create(key, [taken, ...newNumbers(9)]);
    const together = await Promise.all([
      create(key, [taken, ...newNumbers(1)]),
      create(key, newNumbers(2)),
    ]);
    expect(codes(together)).toEqual(["number_in_active_order", 201]);
  });
});
