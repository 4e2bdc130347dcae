import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { createAccount } from "../../support/product/create-account.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { visitByLink } from "../../support/portal/portal-visitor.ts";

const PATH = "/v2/porting_orders";

let api: TestApi;
let nextNumber = 9_100;

beforeAll(async () => {
  api = await startTestApi({ services: ["api", "requirement-review"] });
});

async function newOrder(): Promise<string> {
  nextNumber += 1;
  const body = { phone_numbers: [`+1212555${nextNumber}`], webhook_url: "https://8.8.8.8/own" };
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

describe("an order that has been read before", () => {
  it("shows a change at once, by itself, in every list and in its readiness", async () => {
    const id = await newOrder();
    for (const reference of ["first", "second", "third"]) {
      await api.call("PATCH", `${PATH}/${id}`, { customer_reference: reference });
      const { body } = await read(id);
      expect(body).toMatchObject({ customer_reference: reference });
      expect(await listed(id)).toMatchObject({
        customer_reference: reference,
        next_action: body?.["next_action"],
      });
    }
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
    expect(await parts("&include=numbers,exceptions")).toEqual(["numbers", "exceptions"]);
    expect(await parts("&include=exceptions,numbers")).toEqual(["numbers", "exceptions"]);
    expect(await parts("&include=requirements")).toEqual(["requirements"]);
    expect(await parts("")).toEqual([]);
  });

  it("is not found once it is deleted, and in no list", async () => {
    const id = await newOrder();
    expect((await read(id)).status).toBe(200);
    expect(await listed(id)).toBeDefined();
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

  it("is shown no more to a key that is revoked, nor to an account that is suspended", async () => {
    const id = await newOrder();
    const readBy = async (key: string) =>
      (await call(`${api.product.apiUrl}${PATH}/${id}`, { key })).status;
    const issued = await api.call("POST", "/v2/api_keys", { name: "Second" });
    const second = textOf(issued, "key");
    expect([await readBy(second), await readBy(second)]).toEqual([200, 200]);
    await api.call("DELETE", `/v2/api_keys/${textOf(issued, "id")}`);
    expect([await readBy(second), await readBy(api.product.apiKey)]).toEqual([401, 200]);
    const setStatus = "update accounts.accounts set status = $1";
    await api.database.query(setStatus, ["suspended"]);
    expect(await readBy(api.product.apiKey)).toBe(403);
    await api.database.query(setStatus, ["active"]);
    expect(await readBy(api.product.apiKey)).toBe(200);
  });

  it("is not its customer's to a link of the order, which is not shown where webhooks go", async () => {
    const id = await newOrder();
    const visitor = await visitByLink(api.product, { order_id: id });
    for (let round = 0; round < 2; round += 1) {
      expect((await read(id)).body).toMatchObject({ webhook_url: "https://8.8.8.8/own" });
      expect((await visitor.ask("GET", `${PATH}/${id}`)).body).toMatchObject({
        webhook_url: null,
      });
    }
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
