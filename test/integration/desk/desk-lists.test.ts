import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { newId } from "../../../services/platform/ids.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const parameter = z.looseObject({ name: z.string().optional(), in: z.string().optional() });
const described = z.looseObject({
  paths: z.record(
    z.string(),
    z.looseObject({ get: z.looseObject({ parameters: z.array(parameter) }).optional() }),
  ),
});

let product: OwnProduct;
let orderIds: string[];
let accountId: string;

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "requirement-review"],
    env: { SANDBOX: "false" },
  });
  const made = await call(`${product.apiUrl}/v2/porting_orders`, {
    method: "POST",
    key: product.apiKey,
    body: { phone_numbers: ["+12125550123", "+442079460123"], losing_carrier: "manual" },
  });
  orderIds = dataOf(made).map(({ id }) => String(id));
  accountId = String(dataOf(await atDesk("/desk/v1/accounts"))[0]?.["id"]);
});

const atDesk = (path: string) => call(`${product.deskUrl}${path}`, { key: product.deskToken });

/** The paths of the lists in the desk's OpenAPI document. */
async function lists(): Promise<string[]> {
  const { paths } = described.parse((await call(`${product.deskUrl}/openapi.json`)).body);
  return Object.entries(paths)
    .filter(([, { get }]) => get?.parameters.some(({ name }) => name === "starting_after"))
    .map(([path]) => {
      const id = path.startsWith("/desk/v1/accounts/") ? accountId : orderIds[0];
      return path.replace("{id}", id ?? "");
    });
}

// (docs/contract/desk-api.md, Desk API: operators' side, served by requirement-review)
describe("a desk with SANDBOX=false", () => {
  it("has none of the routes by which operators play carriers and calls", async () => {
    const paths = [
      "/port_outs",
      "/port_outs/a-port-out/complete",
      "/port_outs/a-port-out/cancel",
      "/calls",
      `/orders/${orderIds[0] ?? ""}/comment`,
    ];
    for (const path of paths) {
      const url = `${product.deskUrl}/desk/v1/sandbox${path}`;
      const answer = await call(url, { method: "POST", key: product.deskToken, body: {} });
      expect([path, answer.status, answer.body?.["code"]]).toEqual([path, 404, "not_found"]);
    }
    const { paths: described } = (await atDesk("/openapi.json")).body ?? {};
    expect(JSON.stringify(described)).not.toContain("/sandbox/");
  });
});

describe("the desk's lists", () => {
  it("refuse an unknown cursor", async () => {
    const paths = await lists();
    expect(paths.length).toBeGreaterThanOrEqual(8);
    const absent = (path: string) =>
      path.endsWith("/numbers") ? "%2B12125559999" : newId(new Date());
    for (const path of paths) {
      for (const cursor of ["starting_after", "ending_before"]) {
        const { status, body } = await atDesk(`${path}?${cursor}=${absent(path)}`);
        expect([path, status, body]).toMatchObject([
          path,
          400,
          { errors: [{ parameter: cursor, code: "unknown_id" }] },
        ]);
      }
    }
  });

  it("continue from their own cursor", async () => {
    const [first] = dataOf(await atDesk("/desk/v1/orders?limit=1"));
    const rest = dataOf(await atDesk(`/desk/v1/orders?starting_after=${String(first?.["id"])}`));
    expect([first, ...rest].map((order) => order?.["id"]).toSorted()).toEqual(orderIds.toSorted());
  });
});
