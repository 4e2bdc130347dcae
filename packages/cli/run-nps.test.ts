import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../infra/project-root.ts";
import { temporaryFolder } from "../../test/support/lifetime/temporary-folder.ts";
import { npsHost, type TestHost } from "../../test/support/programs/nps-host.ts";
import { webhookHeaders } from "../client/webhooks.ts";
import { wordsOf } from "./commands/completion.ts";
import { EXIT_CODES } from "./errors.ts";
import { createProgram, runNps } from "./run-nps.ts";
import { Session } from "./session.ts";

async function run(...args: string[]) {
  const { host, written } = npsHost(args);
  return { code: await runNps(host), ...written };
}

const tree = () => wordsOf(createProgram(new Session(npsHost([]).host)));

describe("the command line", () => {
  it.each([
    [["--help"], 0],
    [["events", "list", "--help"], 0],
    [["--version"], 0],
    [["evnts"], 2],
    [["events"], 2],
    [["events", "list", "--type", "no.such"], 2],
    [["events", "list", "--limit", "many"], 2],
    [["orders", "list", "--limit", "0"], 2],
    [["endpoints", "list", "--limit", "0"], 2],
    [["trigger", "no.such"], 2],
    [["listen"], 2],
    [["orders", "show"], 2],
    [["listen", "--forward-to", "ftp://x"], 2],
    [["completion", "tcsh"], 2],
    [["orders", "list"], 3],
  ])("%j ends with %i", async (args, code) => {
    expect((await run(...args)).code).toBe(code);
  });

  it("says what is wrong on standard error, and nothing on standard output", async () => {
    const { stdout, stderr } = await run("orders", "list");
    expect(stdout).toBe("");
    expect(stderr).toContain("nps login");
  });

  it.each([
    [{ NPS_API_URL: "127.0.0.1:3000", NPS_API_KEY: "nps_live_x" }, 2],
    [{ NPS_API_URL: "localhost:3000", NPS_API_KEY: "nps_live_x" }, 2],
    [{ NPS_API_URL: "http://127.0.0.1:3000", NPS_API_KEY: "nps_live_x\nnps_live_y" }, 3],
  ])("names the variable that is wrong, not its value: %j", async (env, code) => {
    const { host, written } = npsHost(["orders", "list"], { env });
    expect(await runNps(host)).toBe(code);
    expect(written.stderr).toContain(code === 2 ? "NPS_API_URL" : "NPS_API_KEY");
    expect(written.stderr).not.toContain("nps_live_");
  });

  it("takes the secret to verify with from a variable, which the shell's history does not keep", async () => {
    const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
    const at = { eventId: "1", eventType: "loa.signed", secret, atSeconds: 1_767_225_600 };
    const header = webhookHeaders("{}", at)["Porting-Signature"] ?? "";
    const args = ["verify", "--offline", "--header", header, "--at", String(at.atSeconds)];
    const verify = (env: NodeJS.ProcessEnv) =>
      runNps(npsHost(args, { env, stdin: Readable.from([Buffer.from("{}")]) }).host);
    expect(await verify({ WEBHOOK_SECRETS: `whsec_eA==,${secret}` })).toBe(0);
    expect(await verify({ WEBHOOK_SECRETS: "whsec_eA==" })).toBe(7);
    expect(await verify({})).toBe(2);
  });

  it("has --json and a description on every command that prints a result", () => {
    const { host } = npsHost([]);
    const program = createProgram(new Session(host));
    const leaves = program.commands.flatMap((one) =>
      one.commands.length > 0 ? one.commands : one,
    );
    expect(leaves.length).toBeGreaterThan(20);
    const without = leaves.filter(({ options }) => !options.some(({ long }) => long === "--json"));
    expect(without.map((one) => one.name())).toEqual(["completion"]);
    expect(leaves.filter((one) => one.description() === "")).toEqual([]);
  });

  it("lists what the sandbox can bring about, without a service", async () => {
    const { code, stdout } = await run("trigger", "--json");
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(15);
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({
      type: "porting_order.created",
    });
  });

  it("sends no examples to a service elsewhere unless it is said to be a sandbox", async () => {
    const env = { NPS_API_URL: "https://api.example.com", NPS_API_KEY: "k" };
    for (const args of [
      ["orders", "fill", "1"],
      ["trigger", "loa.signed"],
    ]) {
      const { host, written } = npsHost(args, { env });
      expect(await runNps(host)).toBe(2);
      expect(written.stderr).toContain("--sandbox");
    }
  });
});

describe("docs/cli.md", () => {
  const text = readFileSync(join(projectRoot, "docs", "cli.md"), "utf8");

  it("names every command", () => {
    const paths = tree().filter(({ path, commands }) => path !== "" && commands.length === 0);
    expect(paths.filter(({ path }) => !text.includes(`\`nps ${path}`))).toEqual([]);
  });

  it("names every exit code", () => {
    const codes = [...text.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT_CODES));
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** The address of a server that answers like this. */
async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** Each path is answered with a problem of this status, or else 404 as the service does. */
function byPath(statuses: Readonly<Record<string, [number, string]>>): Answer {
  return ({ url = "" }, response) => {
    const [path = ""] = url.split("?");
    const [status, code] = statuses[path] ?? [404, "not_found"];
    const problem = { type: "x", title: "T", status, detail: "No.", code, request_id: "r" };
    json(response, status, status === 200 ? { data: [] } : problem);
  };
}

async function runWith(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const stdin = Readable.from([Buffer.from("nps_live_x\n")]);
  const { host, written } = npsHost(args, { env, stdin });
  return { code: await runNps(host), ...written };
}

describe("an address that is not the API's", () => {
  it("is refused by login, though what answers there speaks as the API does", async () => {
    const { code, stderr } = await runWith(["login", "--url", await serve(byPath({}))]);
    expect([code, stderr]).toEqual([6, expect.stringContaining("not the API's address")]);
  });

  it("is named by every command, and a thing that the API does not have is not", async () => {
    const show = async (url: string) =>
      runWith(["orders", "show", "1"], { NPS_API_URL: url, NPS_API_KEY: "k" });
    const elsewhere = await show(await serve(byPath({})));
    expect([elsewhere.code, elsewhere.stderr]).toEqual([6, expect.stringContaining("NPS_API_URL")]);
    const there = await show(await serve(byPath({ "/v2/api_keys": [200, ""] })));
    expect([there.code, there.stderr]).toEqual([4, "No. (not_found, request r)\n"]);
  });
});

describe("a key that is refused", () => {
  it("is named by where it came from", async () => {
    const refused: [number, string] = [401, "unauthorized"];
    const url = await serve(byPath({ "/v2/porting_orders": refused, "/v2/api_keys": refused }));
    const env = { NPS_API_URL: url, NPS_API_KEY: "k" };
    const listed = await runWith(["orders", "list"], env);
    expect([listed.code, listed.stderr]).toEqual([3, expect.stringContaining("NPS_API_KEY")]);
    const typed = await runWith(["login", "--url", url], env);
    expect([typed.code, typed.stderr]).toEqual([3, expect.stringContaining("nps login")]);
    expect(typed.stderr).not.toContain("NPS_API_KEY");
  });
});

/** A command against a server that answers like this. */
async function against(answer: Answer, ...args: string[]): Promise<TestHost> {
  return npsHost(args, { env: { NPS_API_URL: await serve(answer), NPS_API_KEY: "k" } });
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
