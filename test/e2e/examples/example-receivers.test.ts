/** @tier all @needs python3 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { signatureHeaders } from "../../../services/domain/webhook/rules/signature.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { outputOf } from "../../support/programs/program-output.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

const PYTHON_FOLDER = join(projectRoot, "examples", "webhook-receiver", "python");
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  TypeScript: [
    process.execPath,
    join(projectRoot, "examples", "webhook-receiver", "typescript", "main.ts"),
  ],
  Python: ["python3", "-B", join(PYTHON_FOLDER, "main.py")],
};

let product: Product;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder("receivers");
  product = await startProduct();
});

interface Receiver {
  readonly url: string;
  /** The receiver's output so far. */
  output(): string;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function startReceiver(language: string, secrets: readonly string[]): Promise<Receiver> {
  const [command = "", ...args] = COMMANDS[language] ?? [];
  const child = spawn(command, args, {
    env: {
      ...process.env,
      PORT: "0",
      DATA_DIR: join(folder, language),
      WEBHOOK_SECRETS: secrets.join(","),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endAfterTests(() => child.kill("SIGKILL"));
  const output = outputOf(child);
  const port = await eventually(() => {
    const found = /^listening on (\d+)$/m.exec(output())?.[1];
    if (found === undefined) throw new Error(output());
    return found;
  });
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    output,
    end: async (signal) => {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

function api(method: string, path: string, body?: unknown) {
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

async function newOrder(): Promise<string> {
  const made = await api("POST", "/porting_orders", { phone_numbers: [product.newNumber()] });
  return String(dataOf(made)[0]?.["id"]);
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string) {
  const response = await fetch(url, { method: "POST", headers, body });
  return response.status;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe.each(Object.keys(COMMANDS))("the %s receiver", (language) => {
  it("processes each webhook of the product once, and continues after a kill", async () => {
    const made = await api("POST", "/webhook_endpoints", {
      url: "http://127.0.0.1:9999/",
      enabled_events: ["porting_order.created"],
    });
    const [endpoint, secret] = [textOf(made, "id"), textOf(made, "signing_secret")];
    const path = `/webhook_endpoints/${endpoint}`;
    const deliveries = `/webhook_deliveries?webhook_endpoint_id=${endpoint}`;
    const first = await startReceiver(language, [secret]);
    expect((await api("PATCH", path, { url: first.url })).status).toBe(200);
    const orderId = await newOrder();
    await eventually(async () => {
      const [delivery] = dataOf(await api("GET", `${deliveries}&porting_order_id=${orderId}`));
      expect(delivery).toMatchObject({ status: "succeeded", attempt_count: 1 });
      expect(first.output()).toContain(
        `handled porting_order.created ${String(delivery?.["event_id"])}`,
      );
    });

    await first.end("SIGKILL");
    const rotated = await api("POST", `${path}/rotate_secret`, { overlap_seconds: 3_600 });
    const newSecret = textOf(rotated, "signing_secret");
    // The first receiver knows only the old secret, the second only the new one; both sign during the overlap.
    for (const known of [secret, newSecret]) {
      const receiver = await startReceiver(language, [known]);
      expect((await api("PATCH", path, { url: receiver.url })).status).toBe(200);
      const [sent] = dataOf(await api("GET", deliveries));
      const eventId = String(sent?.["event_id"]);
      const again = await api("POST", `/porting/events/${eventId}/republish`);
      const ours = dataOf(again).find((one) => one["webhook_endpoint_id"] === endpoint);
      const id = String(ours?.["id"]);
      await eventually(async () => {
        expect((await api("GET", `/webhook_deliveries/${id}`)).body?.["status"]).toBe("succeeded");
        expect(receiver.output()).toContain(`seen before ${eventId}`);
      });
      await newOrder();
      await eventually(() => expect(count(receiver.output(), "handled ")).toBe(1));
      await receiver.end("SIGTERM");
    }
  });

  it("refuses webhooks that no known secret signed, and detects repeats by the signed event id", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
    const receiver = await startReceiver(language, [secret]);
    const eventId = "019b76da-a800-7000-8000-000000000009";
    const body = JSON.stringify({ id: eventId, type: "call.missed", created_at: "", payload: {} });
    const sign = (text: string, secrets = [secret], at = new Date()) => ({
      "Porting-Event-Id": eventId,
      ...signatureHeaders({ eventId, body: Buffer.from(text), at, secrets }),
    });
    expect(await post(receiver.url, {}, body)).toBe(401);
    expect(await post(receiver.url, sign(body, [`${secret}x`]), body)).toBe(401);
    expect(
      await post(receiver.url, sign(body, [secret], new Date(Date.now() - 301_000)), body),
    ).toBe(401);
    expect(await post(receiver.url, sign(body), `${body} `)).toBe(401);
    expect(await post(receiver.url, sign("[]"), "[]")).toBe(400);
    expect(await post(receiver.url, sign('{"id":"../x"}'), '{"id":"../x"}')).toBe(400);
    expect(receiver.output()).not.toContain("handled");
    expect(await post(receiver.url, sign(body), body)).toBe(204);
    const replayed = { ...sign(body), "Porting-Event-Id": "019b76da-a800-7000-8000-00000000000a" };
    expect(await post(receiver.url, replayed, body)).toBe(204);
    await eventually(() => {
      expect(count(receiver.output(), `handled call.missed ${eventId}`)).toBe(1);
      expect(count(receiver.output(), `seen before ${eventId}`)).toBe(1);
    });
    await receiver.end("SIGTERM");
  });
});

describe("the Python receiver's own tests", () => {
  it("pass, including the golden vectors", () => {
    const args = ["-B", "-m", "unittest", "-v"];
    const tests = spawnSync("python3", args, { cwd: PYTHON_FOLDER, encoding: "utf8" });
    expect(tests.stderr).toMatch(/Ran [1-9]\d* tests/);
    expect([tests.status, tests.stderr]).toEqual([0, expect.stringContaining("OK")]);
  });
});
