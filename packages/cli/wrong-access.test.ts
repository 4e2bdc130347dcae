import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "@jest/globals";
import { npsHost } from "../../test/support/programs/nps-host.ts";
import { runNps } from "./run-nps.ts";

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that answers each path with a problem of this status, or else 404 as the service does. */
async function serve(statuses: Readonly<Record<string, [number, string]>>): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const [path = ""] = url.split("?");
    const [status, code] = statuses[path] ?? [404, "not_found"];
    const problem = { type: "x", title: "T", status, detail: "No.", code, request_id: "r" };
    response.writeHead(status).end(JSON.stringify(status === 200 ? { data: [] } : problem));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const stdin = Readable.from([Buffer.from("nps_live_x\n")]);
  const { host, written } = npsHost(args, { env, stdin });
  return { code: await runNps(host), ...written };
}

describe("an address that is not the API's", () => {
  it("is refused by login, though what answers there speaks as the API does", async () => {
    const { code, stderr } = await run(["login", "--url", await serve({})]);
    expect([code, stderr]).toEqual([6, expect.stringContaining("not the API's address")]);
  });

  it("is named by every command, and a thing that the API does not have is not", async () => {
    const show = async (url: string) =>
      run(["orders", "show", "1"], { NPS_API_URL: url, NPS_API_KEY: "k" });
    const elsewhere = await show(await serve({}));
    expect([elsewhere.code, elsewhere.stderr]).toEqual([6, expect.stringContaining("NPS_API_URL")]);
    const there = await show(await serve({ "/v2/api_keys": [200, ""] }));
    expect([there.code, there.stderr]).toEqual([4, "No. (not_found, request r)\n"]);
  });
});

describe("a key that is refused", () => {
  it("is named by where it came from", async () => {
    const refused: [number, string] = [401, "unauthorized"];
    const url = await serve({ "/v2/porting_orders": refused, "/v2/api_keys": refused });
    const env = { NPS_API_URL: url, NPS_API_KEY: "k" };
    const listed = await run(["orders", "list"], env);
    expect([listed.code, listed.stderr]).toEqual([3, expect.stringContaining("NPS_API_KEY")]);
    const typed = await run(["login", "--url", url], env);
    expect([typed.code, typed.stderr]).toEqual([3, expect.stringContaining("nps login")]);
    expect(typed.stderr).not.toContain("NPS_API_KEY");
  });
});
