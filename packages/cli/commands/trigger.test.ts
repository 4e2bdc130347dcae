import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import { PortingClient } from "../../client/porting-client.ts";
import { Stage } from "./trigger.ts";

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** An account with a number of its own, and one that a trigger ported before. */
async function startApi(): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const isOfTrigger = searchParams.get("customer_reference") === "nps trigger";
    const orders = isOfTrigger ? [{ id: "ended" }, { id: "made" }] : [{ id: "own" }];
    const byOrder = { made: "+12127000001", ended: null }[
      searchParams.get("porting_order_id") ?? ""
    ];
    const phone_number = byOrder === undefined ? "+12125550100" : byOrder;
    const numbers = phone_number === null ? [] : [{ phone_number }];
    const data = pathname === "/v2/porting_orders" ? orders : numbers;
    response.end(JSON.stringify({ data, has_more: false }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("a trigger takes a number that an earlier one ported, not the account's own, and says which", async () => {
  const shown: string[] = [];
  const stage = new Stage({
    client: new PortingClient({ baseUrl: await startApi(), apiKey: "k" }),
    desk: null,
    signal: new AbortController().signal,
    onProgress: (text) => shown.push(text),
  });
  expect(await stage.activeNumber()).toBe("+12127000001");
  expect(shown.join()).toContain("+12127000001");
});
