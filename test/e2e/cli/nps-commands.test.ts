/** @tier all */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { SENT_EVENT_TYPES } from "../../../services/messages/events.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import type { Product } from "../../support/product/product.ts";
import { startQuickProduct } from "../../support/product/shared-products.ts";
import {
  jsonLines,
  npsWith,
  variablesOf,
  type Nps,
  type NpsResult,
} from "../../support/programs/nps.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const UNKNOWN = "01890000-0000-7000-8000-000000000000";
const SLOW_MS = 300_000;

let product: Product;
let receiver: WebhookReceiver;
let nps: Nps;
let isHealthy = true;

beforeAll(async () => {
  [product, receiver] = await Promise.all([
    startQuickProduct(),
    startWebhookReceiver(() => (isHealthy ? 200 : 503)),
  ]);
  nps = npsWith(variablesOf(product));
});

/** Runs a command that succeeds; what it printed with --json. */
async function json(...args: string[]): Promise<Record<string, unknown>[]> {
  return jsonLines(expectCode(await nps.run([...args, "--json"]), 0));
}

async function first(...args: string[]): Promise<Record<string, unknown>> {
  return (await json(...args))[0] ?? {};
}

async function fieldsOf(orderId: string): Promise<{ slug: string; field_value: string | null }[]> {
  const order = await first("orders", "show", orderId);
  return order["requirements"] as { slug: string; field_value: string | null }[];
}

function expectCode(result: NpsResult, code: number): NpsResult {
  if (result.code === code) return result;
  throw new Error(`exit code ${result.code}: ${result.stdout}${result.stderr}`);
}

async function createOrder(number = product.newNumber()): Promise<string> {
  return String((await first("orders", "create", number))["id"]);
}

describe("orders on the command line", () => {
  it("are created, filled with the catalogue's examples, submitted, watched, listed and shown", async () => {
    const id = await createOrder();
    const filled = await first("orders", "fill", id);
    expect(filled["readiness"]).toMatchObject({ ready: true });
    const submitted = await first("orders", "submit", id);
    expect(submitted["status"]).toBe("in_review");
    const watched = nps.run(["orders", "watch", id, "--until", "in_review"]);
    expect(expectCode(await watched, 0).stdout).toContain("in_review");
    const listed = await json("orders", "list", "--status", "in_review", "--limit", "1");
    expect(listed.map((one) => one["id"])).toEqual([id]);
    const shown = expectCode(await nps.run(["orders", "show", id]), 0).stdout;
    expect(shown).toContain("status\tin_review");
    expect(shown).toContain("account_number\tmandatory\tunder-review");
  });

  it("take given values and files first, and say what is still missing", async () => {
    const id = await createOrder();
    const path = join(temporaryFolder("files"), "bill.txt");
    await writeFile(path, "no document");
    const refused = await nps.run(["orders", "fill", id, "--file", `invoice=${path}`]);
    expectCode(refused, 5);
    expect(refused.stderr).toMatch(/request [\w-]{8,64}\)/);
    expectCode(await nps.run(["orders", "fill", id, "--set", "no_such=1"]), 2);
    expectCode(await nps.run(["orders", "fill", id, "--set", "account_number="]), 5);
    const untouched = await fieldsOf(id);
    expect(untouched.filter(({ field_value: value }) => value !== null)).toEqual([]);
    const early = expectCode(await nps.run(["orders", "submit", id]), 5);
    expect(early.stderr).toContain(`nps orders fill ${id}`);
    const empty = expectCode(await nps.run(["orders", "show", id]), 0).stdout;
    expect(empty).toContain("account_number\tmandatory\tempty");
    await json("orders", "fill", id, "--set", "entity_name=Example Ltd");
    const filled = expectCode(await nps.run(["orders", "show", id]), 0).stdout;
    expect(filled).toContain("account_number\tmandatory\tfilled");
    const fields = await fieldsOf(id);
    expect(fields.find(({ slug }) => slug === "entity_name")?.field_value).toBe("Example Ltd");
  });

  it("get the values of a saved holder, which can be an order's", async () => {
    const saved = await first("holders", "save", "Acme", "--set", "entity_name=Acme Dental LLC");
    const holder = String(saved["id"]);
    const settings = ["--lock", "--forward", "+12125550199"];
    const number = product.newNumber();
    const made = await first("orders", "create", number, "--holder", holder, ...settings);
    expect(made["number_configuration"]).toMatchObject({
      default: { port_out_lock: true, forwarding: { primary: "+12125550199" } },
    });
    const value = { slug: "entity_name", field_value: "Acme Dental LLC" };
    expect(await fieldsOf(String(made["id"]))).toContainEqual(expect.objectContaining(value));
    const again = await first("holders", "save", "Again", "--order", String(made["id"]));
    expect(again["requirements"]).toEqual({ entity_name: "Acme Dental LLC" });
    expectCode(await nps.run(["holders", "delete", holder]), 0);
    const listed = expectCode(await nps.run(["holders", "list"]), 0).stdout;
    expect(listed).toContain("Again");
    expect(listed).not.toContain(holder);
  });

  it("that do not exist are exit code 4, with the request id", async () => {
    const { stderr, stdout } = expectCode(await nps.run(["orders", "show", UNKNOWN]), 4);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^There is no .*\(not_found, request [\w-]+\)\n$/);
  });

  it("that end otherwise than watched for are exit code 7", async () => {
    const id = await createOrder();
    const watching = nps.start(["orders", "watch", id]);
    await eventually(() => expect(watching.stdout()).toContain("draft"));
    const url = `${product.apiUrl}/v2/porting_orders/${id}/cancel`;
    await fetch(url, { method: "POST", headers: { "X-API-Key": product.apiKey } });
    const { code, stdout } = await watching.ended;
    expect([code, stdout.includes("cancelled")]).toEqual([7, true]);
  });
});

describe("trigger", () => {
  it(
    "brings about every type of event that is sent, by real state",
    async () => {
      const events: Record<string, unknown>[] = [];
      for (const type of SENT_EVENT_TYPES) events.push(await first("trigger", type));
      expect(events.map(({ type }) => type)).toEqual(SENT_EVENT_TYPES);
      const feed = await json("events", "list", "--limit", "1000");
      for (const event of events) expect(feed).toContainEqual(event);
      expect(await json("numbers", "list", "--status", "ported_out")).toHaveLength(1);
      const portOuts = await json("port-outs", "list");
      const id = String(portOuts.find((one) => one["status"] === "decision_required")?.["id"]);
      expect((await first("port-outs", "approve", id))["status"]).toBe("approved");
      expect((await first("port-outs", "show", id))["status"]).toBe("approved");
    },
    SLOW_MS,
  );

  it("says that it needs the desk, before it creates anything", async () => {
    const { apiUrl, apiKey } = product;
    const alone = npsWith({ NPS_API_URL: apiUrl, NPS_API_KEY: apiKey });
    const [before] = jsonLines(await nps.run(["orders", "list", "--limit", "1", "--json"]));
    expectCode(await alone.run(["trigger", "number.activated"]), 3);
    const [after] = jsonLines(await nps.run(["orders", "list", "--limit", "1", "--json"]));
    expect(after?.["id"]).toBe(before?.["id"]);
  });
});

describe("events on the command line", () => {
  it("are exported whole and in order, from any event on", async () => {
    await createOrder();
    const last = product.newNumber();
    await createOrder(last);
    const path = join(temporaryFolder("export"), "events.ndjson");
    await eventually(async () => {
      const { stdout } = expectCode(await nps.run(["events", "export"]), 0);
      expect(stdout).toContain(last);
    });
    const all = jsonLines(await nps.run(["events", "export"]));
    expectCode(await nps.run(["events", "export", "--out", path]), 0);
    expect(jsonLines({ stdout: await readFile(path, "utf8") })).toEqual(all);
    expectCode(await nps.run(["events", "export", "--out", path]), 2);
    const since = jsonLines(await nps.run(["events", "export", "--since", String(all[0]?.["id"])]));
    expect(since).toEqual(all.slice(1));
    const tail = nps.start(["events", "tail", "--since", String(all[0]?.["id"]), "--json"]);
    await eventually(() => expect(jsonLines({ stdout: tail.stdout() })).toEqual(all.slice(1)));
    expect((await tail.stop()).code).toBe(0);
  });
});

describe("endpoints and deliveries on the command line", () => {
  it(
    "are created and tested; what failed is retried and recovered",
    async () => {
      const created = await first("endpoints", "create", `${receiver.url}/cli`);
      const id = String(created["id"]);
      expect(created["signing_secret"]).toMatch(/^whsec_/);
      expect((await first("endpoints", "test", id))["status"]).toBe("succeeded");
      expect((await json("endpoints", "list")).map((one) => one["id"])).toContain(id);

      isHealthy = false;
      const since = new Date().toISOString();
      await createOrder();
      await createOrder();
      const failed = await eventually(async () => {
        const found = await json("deliveries", "list", "--endpoint", id, "--status", "failed");
        expect(found).toHaveLength(2);
        return String(found[0]?.["id"]);
      });
      expectCode(await nps.run(["endpoints", "test", id]), 7);
      isHealthy = true;
      const shown = expectCode(await nps.run(["deliveries", "show", failed]), 0).stdout;
      expect(shown).toContain("503");
      expect((await first("deliveries", "retry", failed))["status"]).toBe("succeeded");
      expectCode(await nps.run(["deliveries", "retry", failed]), 5);

      const range = ["--since", since, "--mode", "failed"];
      const dry = expectCode(await nps.run(["endpoints", "recover", id, ...range, "--dry-run"]), 0);
      expect(dry.stdout).toBe("Dry run: 1 delivery would be sent; nothing was sent.\n");
      const counted = await first("endpoints", "recover", id, ...range, "--dry-run");
      expect(counted["total"]).toBe(1);
      const recovered = await first("endpoints", "recover", id, ...range);
      expect(recovered).toMatchObject({ status: "completed", succeeded: 1, failed: 0 });
      // What they announce reaches Kafka, and so keeps nothing else waiting.
      const pool = openPoolAt(product.databaseUrl);
      await eventually(async () => {
        const text = `select p.topic from messaging.outbox_progress p join messaging.outbox b on b.id = p.id
        where p.waits and strpos(encode(b.value, 'escape'), $1) > 0`;
        const { rows } = await pool.query(text, [id]);
        expect(rows).toEqual([]);
      });
    },
    SLOW_MS,
  );
});

describe("login", () => {
  it("keeps address and key in a file that only the user reads, checked first", async () => {
    const alone = npsWith({});
    expectCode(await alone.run(["orders", "list"]), 3);
    for (const url of [product.deskUrl, `${product.apiUrl}/docs`]) {
      const elsewhere = await alone.run(["login", "--url", url], `${product.apiKey}\n`);
      expect(expectCode(elsewhere, 6).stderr).toContain("not the API's address");
    }
    const args = ["login", "--url", product.apiUrl];
    expectCode(await alone.run(args, `nps_live_${"x".repeat(38)}\n`), 3);
    const kept = expectCode(await alone.run([...args, "--json"], `${product.apiKey}\n`), 0);
    expect(kept.stdout).not.toContain(product.apiKey);
    const path = String(jsonLines(kept)[0]?.["path"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expectCode(await alone.run(["orders", "list"]), 0);
    expectCode(await alone.run(["logout"]), 0);
    expectCode(await alone.run(["orders", "list"]), 3);
  });

  it("is not needed beside a running npm start", async () => {
    const folder = temporaryFolder("data");
    const { apiUrl: api_url, apiKey: api_key, deskUrl: desk_url, deskToken: desk_token } = product;
    const credentials = { api_url, api_key, desk_url, desk_token };
    await writeFile(join(folder, "credentials.json"), JSON.stringify(credentials));
    const local = npsWith({ DATA_DIR: folder });
    expectCode(await local.run(["orders", "list"]), 0);
    expectCode(await local.run(["trigger", "porting_order.new_comment"]), 0);
  });
});
