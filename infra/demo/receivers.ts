import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError } from "../../packages/client/errors.ts";
import type { PortingClient } from "../../packages/client/porting-client.ts";
import type { DemoAccount } from "./open-demo.ts";

const SLOW_MS = 12_000;

/** How a receiver answers. */
const MANNERS = ["ok", "failing", "slow", "ok", "ok"] as const;

export interface Receivers {
  /** Why no endpoint could be made; null if all were. */
  readonly refusal: string | null;
  stop(): void;
}

/** A receiver on this machine, with an endpoint in each account; what fails or is slow stays so while the demo runs. */
export async function openReceivers(accounts: readonly DemoAccount[]): Promise<Receivers> {
  const server = createServer((request, response) => {
    request.resume();
    const delayMs = request.url === "/slow" ? SLOW_MS : 0;
    response.statusCode = request.url === "/failing" ? 500 : 204;
    setTimeout(() => response.end(), delayMs).unref();
  });
  const port = await listen(server);
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  try {
    for (const [n, { client }] of accounts.entries()) {
      const manner = MANNERS[n % MANNERS.length] ?? "ok";
      const description = `The demo's receiver, ${manner}`;
      await removeFormer(client, description);
      const url = `http://127.0.0.1:${port}/${manner}`;
      await client.createWebhookEndpoint({ url, description });
    }
    return { refusal: null, stop };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const faults = error.faults.map(({ detail }) => detail);
    return { refusal: faults.length === 0 ? error.detail : faults.join(" "), stop };
  }
}

/** Of an earlier run, whose receiver is gone. */
async function removeFormer(client: PortingClient, description: string): Promise<void> {
  const known = await client.listWebhookEndpoints().toArray();
  for (const { id } of known.filter((one) => one.description === description)) {
    await client.deleteWebhookEndpoint(id);
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
