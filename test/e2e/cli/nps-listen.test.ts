/** @tier all */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import type { PortingEvent } from "../../../packages/client/feed.ts";
import { PortingClient } from "../../../packages/client/porting-client.ts";
import { constructEvent } from "../../../packages/client/webhooks.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { jsonLines, npsWith, type Nps } from "../../support/programs/nps.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const SERVICES = ["api", "event-log", "outbox-relay", "webhook-sender"] as const;

let product: OwnProduct;
let client: PortingClient;
let nps: Nps;

beforeAll(async () => {
  product = await startOwnProduct({ services: SERVICES });
  // On a busy machine the API takes longer to be back than most customers would wait.
  client = new PortingClient({
    baseUrl: product.apiUrl,
    apiKey: product.apiKey,
    maxRetries: 10,
  });
  nps = npsWith({ NPS_API_URL: product.apiUrl, NPS_API_KEY: product.apiKey });
});

async function createOrders(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await client.createPortingOrder({ phone_numbers: [product.newNumber()] });
  }
}

const idsAt = ({ received }: WebhookReceiver): string[] =>
  received.map(({ headers }) => String(headers["porting-event-id"]));

const feedIds = async (): Promise<string[]> =>
  (await client.events({ order: "asc" }).toArray()).map(({ id }) => id);

const secretIn = (output: string): string => /whsec_\S+/.exec(output)?.[0] ?? "";

describe("listen", () => {
  it("forwards each event once and in order over restarts of the API, from the first one on", async () => {
    const receiver = await startWebhookReceiver();
    const forwardTo = `${receiver.url}/hook`;
    const listening = nps.start(["listen", "--forward-to", forwardTo]);
    await eventually(() => expect(listening.stderr()).toContain("Signing secret"));
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      await createOrders(3);
      const { program } = product.supervisor.service("api");
      const { pid } = program;
      program.kill(signal);
      // A stop is announced first: the API answers for some seconds more.
      await eventually(() => expect(program.pid).not.toBe(pid));
      await createOrders(3);
    }
    await eventually(async () => {
      expect(idsAt(receiver)).toHaveLength(12);
      expect(idsAt(receiver)).toEqual(await feedIds());
    });
    expect(listening.stderr()).toContain("cut");
    const { code, stderr, stdout } = await listening.stop();
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(12);
    expect(stdout).toContain("→ 200 in");
    expect(stderr).toContain(`--since ${(await feedIds()).at(-1)}`);
    const secret = secretIn(stderr);
    for (const { body, headers } of receiver.received) {
      expect(constructEvent(body, headers, secret).type).toBe("porting_order.created");
    }
  });

  it("sends what the service's own webhooks have, byte for byte", async () => {
    const receiver = await startWebhookReceiver();
    await client.createWebhookEndpoint({ url: `${receiver.url}/own` });
    const listening = nps.start(["listen", "--forward-to", `${receiver.url}/listen`]);
    await eventually(() => expect(listening.stderr()).toContain("Signing secret"));
    await createOrders(1);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    await listening.stop();
    const [one, other] = receiver.received;
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(
      new Set(["/own", "/listen"]),
    );
    expect(one?.body.toString()).toBe(other?.body.toString());
  });

  it("signs with the same secret each time, goes on after an event, and leaves out other types", async () => {
    const receiver = await startWebhookReceiver(() => 500);
    const ids = await feedIds();
    const args = [
      "listen",
      "--forward-to",
      `${receiver.url}/`,
      "--since",
      ids.at(-2) ?? "",
      "--json",
    ];
    const both = ["porting_order.created", "loa.signed"];
    const listening = nps.start([...args, ...both.flatMap((type) => ["--events", type])]);
    await eventually(() => expect(jsonLines({ stdout: listening.stdout() })).toHaveLength(1));
    const [shown] = jsonLines({ stdout: listening.stdout() });
    expect(shown).toMatchObject({ event: { id: ids.at(-1) }, exchange: { status: 500 } });
    const first = secretIn((await listening.stop()).stderr);
    const again = nps.start([...args, "--events", "loa.signed"]);
    await eventually(() => expect(again.stderr()).toContain("Signing secret"));
    const { stderr, stdout } = await again.stop();
    expect([secretIn(stderr), stdout]).toEqual([first, ""]);
  });

  it("prints payloads without a server, and shows one that is away", async () => {
    const since = ["--since", (await feedIds()).at(-2) ?? ""];
    const printing = nps.start(["listen", "--print", ...since]);
    await eventually(() => expect(printing.stdout()).toContain('"porting_order": {'));
    await printing.stop();
    const away = nps.start(["listen", "--forward-to", "http://127.0.0.1:9/", ...since]);
    await eventually(() => expect(away.stdout()).toMatch(/→ .*(ECONNREFUSED|bad port)/));
    await away.stop();
  });
});

describe("the TypeScript client", () => {
  it("follows the events over a restart of the API, each once and in order", async () => {
    const stop = new AbortController();
    const seen: PortingEvent[] = [];
    let cuts = 0;
    let opened = 0;
    const following = (async () => {
      const options = {
        startingAfter: null,
        signal: stop.signal,
        onCut: () => (cuts += 1),
        onOpen: () => (opened += 1),
      };
      for await (const event of client.followEvents(options)) seen.push(event);
    })();
    await eventually(() => expect(opened).toBe(1));
    const { program } = product.supervisor.service("api");
    program.kill("SIGKILL");
    // Created while the stream is cut: the client tries until the API is back.
    const created = await client.createPortingOrder({ phone_numbers: [product.newNumber()] });
    const id = created.data[0]?.id;
    await eventually(() => expect(seen.some(({ order_id }) => order_id === id)).toBe(true));
    stop.abort();
    await following;
    expect(cuts).toBeGreaterThan(0);
    const feed = await client.events({ order: "asc" }).toArray();
    expect(seen).toEqual(feed.slice(0, seen.length));
    expect(seen.at(-1)?.id).toBe(feed.at(-1)?.id);
  });
});

describe("verify", () => {
  it("says which of time, secret and body is wrong, asking the service for the event", async () => {
    const receiver = await startWebhookReceiver();
    const endpoint = await client.createWebhookEndpoint({ url: `${receiver.url}/verify` });
    await createOrders(1);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const [webhook] = receiver.received;
    const header = String(webhook?.headers["porting-signature"]);
    const check = async (secret: string, sent: string, ...more: string[]) => {
      const args = ["verify", "--secret", secret, "--header", header, "--json", ...more];
      const { code, ...printed } = await nps.run(args, sent);
      return { code, ...jsonLines(printed)[0] };
    };
    const { signing_secret: secret } = endpoint;
    const raw = String(webhook?.body);
    expect(await check(secret, raw)).toMatchObject({ code: 0, valid: true });
    const changed = raw.replace("draft", "drafts");
    expect(await check(secret, changed)).toMatchObject({ code: 7, secret: true, body: false });
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    // Another secret, another time in the header and the header of another webhook look alike.
    expect(await check(other, raw)).toMatchObject({ code: 7, secret: null, body: true });
    const offline = await check(other, raw, "--offline");
    expect(offline).toMatchObject({ code: 7, secret: null, body: null });
    const later = String(Math.floor(Date.now() / 1_000) + 1_000);
    expect(await check(secret, raw, "--at", later)).toMatchObject({ time: false, secret: true });
  });
});

describe("npx nps", () => {
  let completion = "";

  beforeAll(async () => {
    completion = (await nps.run(["completion", "bash"])).stdout;
  });

  const words = async (...typed: string[]): Promise<string[]> => {
    const line = typed.map((word) => `'${word}'`).join(" ");
    const script = `${completion}\nCOMP_WORDS=(${line}); COMP_CWORD=${typed.length - 1}; _nps; echo "\${COMPREPLY[*]}"`;
    const shell = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
    return (await text(shell.stdout)).trim().split(" ");
  };

  it("is completed by bash: commands, options and their values", async () => {
    expect(await words("nps", "ev")).toEqual(["events"]);
    expect(await words("nps", "orders", "w")).toEqual(["watch", "withdraw-change"]);
    expect(await words("nps", "orders", "list", "--status", "com")).toEqual([
      "completed",
      "completed_partial",
    ]);
    expect(await words("nps", "trigger", "call.m")).toEqual(["call.missed"]);
  });

  it("keeps its exit code where nobody reads its output any more", async () => {
    const program = join(projectRoot, "packages", "cli", "main.ts");
    const run = (redirected: string): Promise<string> => {
      const line = `"$0" "$1" ${redirected} | true; echo "\${PIPESTATUS[0]}"`;
      const folder = temporaryFolder("no-access");
      const env = { PATH: process.env["PATH"], XDG_CONFIG_HOME: folder, DATA_DIR: folder };
      const args = ["-c", line, process.execPath, program];
      return text(spawn("bash", args, { env, stdio: ["ignore", "pipe", "inherit"] }).stdout);
    };
    expect(await run("trigger")).toBe("0\n");
    expect(await run("orders list 2>&1 >/dev/null")).toBe("3\n");
  });

  it("runs from the clone, with help for every command", async () => {
    const bin = join(projectRoot, "packages", "cli", "nps.mjs");
    const child = spawn(process.execPath, [bin, "--help"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [help] = await Promise.all([text(child.stdout), once(child, "close")]);
    const commands = [...help.matchAll(/^ {2}([a-z-]+) .*\S$/gm)].map(([, name = ""]) => name);
    expect(commands).toEqual(expect.arrayContaining(["login", "listen", "trigger", "orders"]));
    const helps = await Promise.all(commands.map((command) => nps.run([command, "--help"])));
    for (const [n, command] of commands.entries()) {
      expect(helps[n]?.code).toBe(0);
      expect(helps[n]?.stdout).toContain(`Usage: nps ${command}`);
    }
  });
});
