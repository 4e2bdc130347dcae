import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf } from "../support/http/call.ts";
import { eventually } from "../support/eventually.ts";
import { fulfilOrder, submitOrder, type CustomerAccess } from "../support/orders/fulfil-order.ts";
import { signIn } from "../support/product/desk-session.ts";
import { openNumberStack, type NumberStack, type Owner } from "../support/orders/number-stack.ts";

let stack: NumberStack;
let owner: Owner;
let customer: CustomerAccess;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
  customer = { apiUrl: stack.product.apiUrl, apiKey: owner.key };
});

async function auditOf(action: string): Promise<Record<string, unknown>[]> {
  const path = `/audit?account_id=${owner.accountId}&action=${action}&order=asc`;
  return dataOf(await stack.desk("GET", path));
}

/** An account number as an operator who may decide sees it. */
function accountNumberOf(body: unknown): string {
  const field = z.object({ slug: z.string(), field_value: z.string().nullable() });
  const { requirements } = z.object({ requirements: z.array(field) }).parse(body);
  const found = requirements.find(({ slug }) => slug === "account_number")?.field_value;
  return z
    .string()
    .regex(/^[^*]+$/)
    .parse(found);
}

const documents = z.array(z.object({ id: z.string() }));

describe("an operator who looks at what is sensitive", () => {
  it("leaves a row for each look at unmasked values and at a document, and none for lists", async () => {
    const made = await owner.api("POST", "/porting_orders", {
      phone_numbers: [stack.product.newNumber()],
    });
    const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
    await fulfilOrder(customer, orderId);
    await submitOrder(customer, orderId);
    const shown = await eventually(async () => {
      const found = await stack.desk("GET", `/reviews/${orderId}`);
      expect(found.status).toBe(200);
      return found;
    });
    await stack.desk("POST", `/reviews/${orderId}/claim`, {});
    const masked = await stack.desk("GET", `/reviews/${orderId}?masked=true`);
    expect(JSON.stringify(masked.body)).not.toContain(accountNumberOf(shown.body));
    for (const path of ["/reviews", "/orders", `/orders/${orderId}`, "/dead_letters"]) {
      expect((await stack.desk("GET", path)).status).toBe(200);
    }
    const looked = {
      actor_type: "operator",
      operator: { id: expect.any(String), name: "First operator" },
      porting_order_id: orderId,
      after: { attempt: 1, unmasked: ["account_number"] },
    };
    expect(await auditOf("review.viewed")).toMatchObject([looked, looked]);
    const [document] = documents.parse(shown.body?.["documents"]);
    const url = `${stack.product.deskUrl}/desk/v1/documents/${document?.id}`;
    const headers = { Authorization: `Bearer ${stack.product.deskToken}` };
    expect((await fetch(url, { headers })).status).toBe(200);
    const { cookie: Cookie } = await signIn(stack.product.deskUrl, stack.product.deskToken);
    const byCookie = await fetch(url, { headers: { Cookie } });
    expect([byCookie.status, byCookie.headers.get("content-type")]).toEqual([
      200,
      "application/pdf",
    ]);
    await byCookie.body?.cancel();
    const look = { porting_order_id: orderId, after: { document_id: document?.id } };
    expect(await auditOf("document.viewed")).toMatchObject([look, look]);
  });
});

describe("a customer's key that changes keys, secrets, locks and PINs", () => {
  it("leaves a row with the key for each, without any secret", async () => {
    const issued = await owner.api("POST", "/api_keys", { name: "second" });
    const keyId = textOf(issued, "id");
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await owner.api("DELETE", `/api_keys/${keyId}`)).status).toBe(204);
    }
    const endpoint = await owner.api("POST", "/webhook_endpoints", {
      url: "http://127.0.0.1:8099/",
    });
    const id = textOf(endpoint, "id");
    const rotated = await owner.api("POST", `/webhook_endpoints/${id}/rotate_secret`, {});
    const account = await owner.api("POST", "/webhook_signing_secret/rotate", {});
    const number = await stack.newNumber(owner);
    const path = `/numbers/${encodeURIComponent(number)}`;
    for (const body of [{ port_out_pin: "73918264" }, { port_out_lock: true }, {}]) {
      expect((await owner.api("PATCH", path, body)).status).toBe(200);
    }
    const by = { actor_type: "customer", api_key_id: expect.any(String), operator: null };
    expect(await auditOf("api_key.issued")).toMatchObject([
      { ...by, after: { api_key_id: keyId, name: "second" } },
    ]);
    expect(await auditOf("api_key.revoked")).toMatchObject([
      { ...by, after: { api_key_id: keyId } },
    ]);
    expect(await auditOf("webhook_endpoint.secret_rotated")).toMatchObject([
      { ...by, after: { webhook_endpoint_id: id } },
    ]);
    expect(await auditOf("account.signing_secret_rotated")).toMatchObject([by]);
    expect(await auditOf("number.port_out_protected")).toMatchObject([
      { ...by, after: { phone_number: number, port_out_pin_set: true, port_out_lock: false } },
      { ...by, before: { port_out_lock: false }, after: { port_out_lock: true } },
    ]);
    const whole = await stack.desk("GET", `/audit?account_id=${owner.accountId}&limit=250`);
    const secrets = [issued.body?.["key"], rotated.body?.["signing_secret"]];
    for (const secret of [...secrets, account.body?.["signing_secret"], "73918264"]) {
      expect(JSON.stringify(whole.body)).not.toContain(z.string().parse(secret));
    }
  });

  it("is not written where the change is refused", async () => {
    const keys = dataOf(await owner.api("GET", "/api_keys"));
    const own = keys.find((key) => key["revoked_at"] === null)?.["id"];
    expect((await owner.api("DELETE", `/api_keys/${String(own)}`)).status).toBe(409);
    expect(await auditOf("api_key.revoked")).toHaveLength(1);
    const url = `${stack.product.apiUrl}/v2/api_keys`;
    expect((await call(url, { method: "POST", key: "nps_live_x", body: {} })).status).toBe(401);
    expect(await auditOf("api_key.issued")).toHaveLength(1);
  });
});
