import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "@jest/globals";
import { temporaryFolder } from "../../test/support/lifetime/temporary-folder.ts";
import { npsHost, type TestHost } from "../../test/support/programs/nps-host.ts";
import { runNps } from "./run-nps.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A command against a server that answers like this. */
async function against(answer: Answer, ...args: string[]): Promise<TestHost> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const env = { NPS_API_URL: `http://127.0.0.1:${port}`, NPS_API_KEY: "k" };
  return npsHost(args, { env });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

describe("Ctrl-C", () => {
  it("ends what waits for an answer, with 130", async () => {
    const { host, written, interrupt } = await against(() => interrupt(), "events", "export");
    expect(await runNps(host)).toBe(130);
    expect(written.stdout + written.stderr).toBe("");
  });

  it("leaves no file that would pass for a whole export", async () => {
    const path = join(temporaryFolder("export"), "events.ndjson");
    const pages: Answer = ({ url = "" }, response) => {
      response.setHeader("Link", '</x?starting_after=1>; rel="next"');
      if (url.includes("starting_after")) running.interrupt();
      else json(response, 200, { data: [{ id: "1" }], has_more: true });
    };
    const running = await against(pages, "events", "export", "--out", path);
    expect(await runNps(running.host)).toBe(130);
    expect(existsSync(path)).toBe(false);
  });

  it("before an order has ended is 130 for who watches it, so that nothing goes on as if it had", async () => {
    const order = {
      id: "1",
      status: "draft",
      next_action: { actor: "customer", action: "submit" },
    };
    const answer: Answer = ({ url = "" }, response) => {
      if (url.includes("/stream")) running.interrupt();
      else json(response, 200, url.includes("porting_orders") ? order : { data: [{ id: "1" }] });
    };
    const running = await against(answer, "orders", "watch", "1");
    expect(await runNps(running.host)).toBe(130);
    expect(running.written.stdout).toContain("draft");
  });

  it("is how events tail ends, also before it is connected: 0", async () => {
    const { host, interrupt } = await against(() => interrupt(), "events", "tail");
    expect(await runNps(host)).toBe(0);
  });

  it("ends the reading of a pipe, and of what is typed", async () => {
    for (const isTTY of [false, true]) {
      const stdin = Object.assign(new PassThrough(), { isTTY });
      const { host, interrupt } = npsHost(["login"], { stdin });
      const ended = runNps(host);
      interrupt();
      expect(await ended).toBe(130);
    }
  });
});

describe("Ctrl-D", () => {
  it("in place of a key ends nps login", async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const { host, written } = npsHost(["login"], { stdin });
    const ended = runNps(host);
    stdin.write("\u0004");
    expect(await ended).toBe(130);
    expect(written.stderr).toContain("No key was given.");
  });
});

describe("an error", () => {
  it("replaces the progress that is shown", async () => {
    const delivery = { id: "1", url: "http://x", status: "retrying", attempt_log: [] };
    const problem = { status: 404, code: "not_found", detail: "It is gone.", request_id: "r" };
    const answer: Answer = ({ method, url = "" }, response) => {
      if (url.startsWith("/v2/api_keys")) json(response, 200, { data: [], has_more: false });
      else if (method === "POST") json(response, 202, delivery);
      else json(response, 404, problem);
    };
    const { host, written } = await against(answer, "deliveries", "retry", "1");
    expect(await runNps(host)).toBe(4);
    expect(written.stderr).toMatch(/Waiting for http:/);
    expect(written.stderr).toContain("\r\u001b[2KIt is gone.");
  });
});
