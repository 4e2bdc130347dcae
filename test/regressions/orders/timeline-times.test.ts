import { beforeAll, describe, expect, it } from "@jest/globals";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";
import { dataOf, textOf } from "../../support/http/call.ts";

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

describe("the timeline of an order that was last changed long ago", () => {
  it("shows a comment at the time it was made", async () => {
    const made = await api.call("POST", "/v2/porting_orders", { phone_numbers: ["+12125550170"] });
    const order = String(dataOf(made)[0]?.["id"]);
    await api.database.query(
      "update orders.porting_orders set updated_at = now() - interval '3 days' where id = $1",
      [order],
    );
    const comment = await api.call("POST", `/v2/porting_orders/${order}/comments`, { body: "Hi" });
    const timeline = await api.call("GET", `/v2/porting_orders/${order}/timeline`);
    expect(dataOf(timeline)[0]).toMatchObject({
      kind: "comment",
      at: textOf(comment, "created_at"),
    });
  });
});
