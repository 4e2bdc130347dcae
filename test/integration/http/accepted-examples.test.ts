import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { requestExamplesOf, type RequestExample } from "../../support/openapi/request-examples.ts";
import { dataOf } from "../../support/http/call.ts";

const ORDERS = "/v2/porting_orders";
const asked = z.array(
  z.object({ slug: z.string(), field_type: z.string(), example: z.string().nullish() }),
);

let api: TestApi;
let examples: RequestExample[];

beforeAll(async () => {
  api = await startTestApi();
  const document = await fetch(`${api.product.apiUrl}/openapi.json`);
  examples = requestExamplesOf(await document.json());
});

/** A draft whose values are the examples of its requirements. */
async function newOrder(): Promise<string> {
  const phone_numbers = [api.product.newNumber()];
  const [order = {}] = dataOf(await api.call("POST", ORDERS, { phone_numbers }));
  const id = z.string().parse(order["id"]);
  for (const { slug, field_type, example } of asked.parse(order["requirements"])) {
    if (field_type === "document") continue;
    const path = `${ORDERS}/${id}/requirements/${slug}`;
    const written = await api.call("PATCH", path, { field_value: example });
    expect([slug, written.status]).toEqual([slug, 200]);
  }
  return id;
}

/** The operations whose examples are sent as they stand, and the paths to which they are sent. */
const OPERATIONS: Readonly<Record<string, () => Promise<string> | string>> = {
  [`POST ${ORDERS}`]: () => ORDERS,
  "POST /v2/portability_checks": () => "/v2/portability_checks",
  [`PATCH ${ORDERS}/{id}`]: async () => `${ORDERS}/${await newOrder()}`,
  [`POST ${ORDERS}/{id}/cancel`]: async () => `${ORDERS}/${await newOrder()}/cancel`,
  [`POST ${ORDERS}/{id}/comments`]: async () => `${ORDERS}/${await newOrder()}/comments`,
  [`POST ${ORDERS}/{id}/loa/sign`]: async () => `${ORDERS}/${await newOrder()}/loa/sign`,
  [`PATCH ${ORDERS}/{id}/requirements/{slug}`]: async () =>
    `${ORDERS}/${await newOrder()}/requirements/account_number`,
};

describe("an example in the OpenAPI document", () => {
  it.each(Object.keys(OPERATIONS))("of the body of %s is accepted", async (operation) => {
    const own = examples.filter(
      ({ method, path, body }) => body !== undefined && `${method} ${path}` === operation,
    );
    const [{ method, body } = { method: "", body: undefined }] = own;
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map((one) => JSON.stringify(one.body))).size).toBe(1);
    const answer = await api.call(method, (await OPERATIONS[operation]?.()) ?? "", body);
    expect([operation, [200, 201].includes(answer.status), answer.body?.["errors"]]).toEqual([
      operation,
      true,
      undefined,
    ]);
  });

  it("of a query parameter is accepted", async () => {
    const listed = examples.filter(({ path, query }) => query !== "" && !path.includes("{"));
    const needed: Readonly<Record<string, string>> = {
      "/v2/porting_requirements": "country_code=US&number_type=local",
    };
    const names = listed.map(({ path, query }) => `${path}?${query.split("=")[0] ?? ""}`);
    expect(names).toEqual(
      expect.arrayContaining([
        `${ORDERS}?phone_number`,
        `${ORDERS}?country_code`,
        `${ORDERS}?losing_carrier`,
        "/v2/numbers?country_code",
        "/v2/port_outs?phone_number",
        "/v2/porting_requirements?country_code",
      ]),
    );
    const refused: unknown[] = [];
    for (const { path, query } of listed) {
      const [name = ""] = query.split("=");
      const rest = (needed[path] ?? "").split("&").filter((one) => !one.startsWith(`${name}=`));
      const { status, body } = await api.call("GET", `${path}?${[query, ...rest].join("&")}`);
      // A cursor is an id, so that its example can only be unknown.
      const isCursor = ["starting_after", "ending_before"].includes(name);
      if (status !== 200 && !isCursor) refused.push([path, query, status, body?.["errors"]]);
    }
    expect(refused).toEqual([]);
  });
});
