import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { createAccount } from "../../support/product/create-account.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { visitByLink } from "../../support/portal/portal-visitor.ts";

const PATH = "/v2/porting_orders";

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

async function newOrder(): Promise<string> {
  const phone_numbers = [api.product.newNumber()];
  const body = { phone_numbers, webhook_url: "https://8.8.8.8/own" };
  return z.string().parse(dataOf(await api.call("POST", PATH, body))[0]?.["id"]);
}

const read = (id: string): Promise<Answer> => api.call("GET", `${PATH}/${id}`);

async function listed(id: string, query = ""): Promise<Record<string, unknown> | undefined> {
  const list = await api.call("GET", `${PATH}?limit=250${query}`);
  return dataOf(list).find((order) => order["id"] === id);
}

const slugs = z.object({ blocking: z.array(z.object({ slug: z.string() })) });

async function blocking(id: string): Promise<string[]> {
  const { body } = await api.call("GET", `${PATH}/${id}/readiness`);
  return slugs.parse(body).blocking.map(({ slug }) => slug);
}

describe("an order", () => {
  it("shows a change by itself, in every list and in its readiness", async () => {
    const id = await newOrder();
    await api.call("PATCH", `${PATH}/${id}`, { customer_reference: "changed" });
    const { body } = await read(id);
    expect(body).toMatchObject({ customer_reference: "changed" });
    expect(await listed(id)).toMatchObject({
      customer_reference: "changed",
      next_action: body?.["next_action"],
    });
    expect(await blocking(id)).toContain("entity_name");
    const field = `${PATH}/${id}/requirements/entity_name`;
    expect((await api.call("PATCH", field, { field_value: "Acme LLC" })).status).toBe(200);
    expect(await blocking(id)).not.toContain("entity_name");
    const shown = { slug: "entity_name", field_value: "Acme LLC" };
    const requirements = expect.arrayContaining([expect.objectContaining(shown)]);
    expect((await read(id)).body).toMatchObject({ requirements });
    expect(await listed(id, "&include=requirements")).toMatchObject({ requirements });
  });

  it("shows in a list the parts that this request asks for", async () => {
    const id = await newOrder();
    const parts = async (include: string) => {
      const order = (await listed(id, include)) ?? {};
      return ["requirements", "numbers", "exceptions"].filter((part) => part in order);
    };
    expect(await parts("")).toEqual([]);
    expect(await parts("&include=exceptions,numbers")).toEqual(["numbers", "exceptions"]);
    expect(await parts("&include=requirements")).toEqual(["requirements"]);
  });

  it("is not found once it is deleted, and in no list", async () => {
    const id = await newOrder();
    expect((await api.call("DELETE", `${PATH}/${id}`)).status).toBe(204);
    expect((await read(id)).status).toBe(404);
    expect((await api.call("GET", `${PATH}/${id}/readiness`)).status).toBe(404);
    expect(await listed(id)).toBeUndefined();
  });

  it("is another account's neither alone nor while its owner reads it", async () => {
    const id = await newOrder();
    const other = await createAccount(api.product, "Other");
    const readAs = (key: string): Promise<Answer> =>
      call(`${api.product.apiUrl}${PATH}/${id}`, { key });
    const owner = api.product.apiKey;
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => readAs(n % 2 === 0 ? owner : other.apiKey)),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 200 : 404)),
    );
    const list = await call(`${api.product.apiUrl}${PATH}`, { key: other.apiKey });
    expect(list.body).toEqual({ data: [], has_more: false });
  });

  it("is not its customer's to a link of the order, which is not shown where webhooks go", async () => {
    const id = await newOrder();
    const visitor = await visitByLink(api.product, { order_id: id });
    expect((await read(id)).body).toMatchObject({ webhook_url: "https://8.8.8.8/own" });
    expect((await visitor.ask("GET", `${PATH}/${id}`)).body).toMatchObject({ webhook_url: null });
  });

  it("is on the pages of a list that goes backwards as it is on those forwards", async () => {
    const ids: string[] = [];
    for (let made = 0; made < 4; made += 1) ids.unshift(await newOrder());
    const page = async (query: string) => dataOf(await api.call("GET", `${PATH}?limit=2${query}`));
    const forwards = await page(`&starting_after=${ids[0] ?? ""}`);
    const backwards = await page(`&ending_before=${ids[3] ?? ""}`);
    expect(forwards.map((order) => order["id"])).toEqual([ids[1], ids[2]]);
    expect(backwards).toEqual(forwards);
    expect(await page(`&order=asc&starting_after=${ids[3] ?? ""}`)).toEqual(forwards.toReversed());
  });
});

// What else moves it: services/domain/order/rules/decide.test.ts; what it is in each status: due-times.test.ts.
describe("next_action.due_at", () => {
  const DRAFT_EXPIRY_MS = 30 * 86_400_000;
  const shown = z.object({
    id: z.string(),
    updated_at: z.string(),
    next_action: z.object({ due_at: z.string().nullable() }),
  });
  const expiryOf = ({ updated_at }: z.infer<typeof shown>): string =>
    new Date(Date.parse(updated_at) + DRAFT_EXPIRY_MS).toISOString();

  it("is a draft's expiry, which the customer's changes put off, alone and in the lists of both sides", async () => {
    const made = await api.call("POST", PATH, { phone_numbers: [api.product.newNumber()] });
    const created = shown.parse(dataOf(made)[0]);
    expect(created.next_action.due_at).toBe(expiryOf(created));
    expect(shown.parse((await read(created.id)).body)).toEqual(created);
    const change = { customer_reference: "put off" };
    const patched = shown.parse((await api.call("PATCH", `${PATH}/${created.id}`, change)).body);
    expect(patched.next_action.due_at).toBe(expiryOf(patched));
    expect(Date.parse(patched.updated_at)).toBeGreaterThan(Date.parse(created.updated_at));
    const atDesk = `${api.product.deskUrl}/desk/v1/orders?limit=250&account_id=${api.account}`;
    const everybodys = dataOf(await call(atDesk, { key: api.product.deskToken }));
    for (const one of [await listed(created.id), everybodys.find(({ id }) => id === created.id)]) {
      expect(shown.parse(one).next_action).toEqual(patched.next_action);
    }
  });
});

describe("the timeline of an order that was last changed long ago", () => {
  it("shows a comment at the time it was made, which once was that of the order's last change", async () => {
    const id = await newOrder();
    await api.database.query(
      "update orders.porting_orders set updated_at = now() - interval '3 days' where id = $1",
      [id],
    );
    const comment = await api.call("POST", `${PATH}/${id}/comments`, { body: "Hi" });
    const timeline = await api.call("GET", `${PATH}/${id}/timeline`);
    expect(dataOf(timeline)[0]).toMatchObject({
      kind: "comment",
      at: textOf(comment, "created_at"),
    });
  });
});
