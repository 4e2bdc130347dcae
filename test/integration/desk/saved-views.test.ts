import { beforeAll, describe, expect, it } from "@jest/globals";
import { newId } from "../../../services/platform/ids.ts";
import { call, dataOf, outcomeOf, textOf, type Answer } from "../../support/http/call.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { connectClient } from "../../support/stack/test-client.ts";

let product: Product;
let rita: Desk;
let lena: Desk;
/** In names that no other test has. */
const mark = newId(new Date()).slice(-12);

type Desk = (method: string, path: string, body?: unknown) => Promise<Answer>;

function deskOf(key: string): Desk {
  return (method, path, body) => call(`${product.deskUrl}/desk/v1${path}`, { method, key, body });
}

async function newOperator(name: string, role: string): Promise<Desk> {
  const admin = deskOf(product.deskToken);
  const made = await admin("POST", "/operators", { name: `${name} ${mark}`, role });
  return deskOf(
    textOf(await admin("POST", `/operators/${textOf(made, "id")}/tokens`, {}), "token"),
  );
}

beforeAll(async () => {
  product = await startProduct();
  rita = await newOperator("Rita", "viewer");
  lena = await newOperator("Lena", "lead");
});

const view = (name: string, fields = {}) => ({
  screen: "orders",
  name: `${name} ${mark}`,
  search: "status=draft",
  ...fields,
});

async function namesOf(desk: Desk): Promise<unknown[]> {
  const found = dataOf(await desk("GET", "/views"));
  return found.map(({ name }) => name).filter((name) => String(name).endsWith(mark));
}

describe("a saved view", () => {
  it("is its operator's alone, replaced under its name, and removed", async () => {
    const first = await rita("POST", "/views", view("Drafts"));
    expect(first).toMatchObject({ status: 201, body: { shared: false, search: "status=draft" } });
    const again = await rita("POST", "/views", view("Drafts", { search: "status=draft&q=a" }));
    expect(again.body).toMatchObject({ id: first.body?.["id"], search: "status=draft&q=a" });
    expect(await namesOf(rita)).toEqual([`Drafts ${mark}`]);
    expect(await namesOf(lena)).toEqual([]);
    const path = `/views/${textOf(first, "id")}`;
    expect(outcomeOf(await lena("DELETE", path))).toBe("404 not_found");
    expect((await rita("DELETE", path)).status).toBe(204);
    expect(await namesOf(rita)).toEqual([]);
  });

  it("of all operators is saved and removed by leads, and seen by everybody", async () => {
    const shared = view("Everybody", { shared: true });
    expect(outcomeOf(await rita("POST", "/views", shared))).toBe("403 forbidden");
    const saved = await lena("POST", "/views", shared);
    expect(saved).toMatchObject({ status: 201, body: { shared: true } });
    expect(await namesOf(rita)).toEqual([`Everybody ${mark}`]);
    const path = `/views/${textOf(saved, "id")}`;
    expect(outcomeOf(await rita("DELETE", path))).toBe("403 forbidden");
    expect((await lena("DELETE", path)).status).toBe(204);
    const audit = await lena("GET", "/audit?action=view.removed");
    expect(JSON.stringify(dataOf(audit))).toContain(`Everybody ${mark}`);
  });

  it("is one of fifty at most, however many are saved at once", async () => {
    const greta = await newOperator("Greta", "viewer");
    const saves = Array.from({ length: 52 }, (_, n) => greta("POST", "/views", view(`View ${n}`)));
    const outcomes = (await Promise.all(saves)).map(outcomeOf);
    expect(outcomes.filter((one) => one === "201")).toHaveLength(50);
    expect(outcomes.filter((one) => one === "409 quota_exceeded")).toHaveLength(2);
    const [kept] = await namesOf(greta);
    const name = String(kept).replace(` ${mark}`, "");
    expect((await greta("POST", "/views", view(name, { search: "" }))).status).toBe(201);
    const db = await connectClient(product.databaseUrl);
    const { rows } = await db.query<{ count: string }>(
      "select count(*) from accounts.saved_views where name like '%' || $1",
      [mark],
    );
    expect(Number(rows[0]?.count)).toBe(50);
  });
});
