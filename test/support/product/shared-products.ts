import { createServer } from "node:http";
import { z } from "zod";
import { endAll } from "../lifetime/end-after-tests.ts";
import { serveBrowser } from "../http/browser.ts";
import { call, textOf } from "../http/call.ts";
import { testStack } from "../stack/test-stack.ts";
import { startOwnProduct, type Product, type TestProductOptions } from "./product.ts";
import { numbersFrom } from "./test-numbers.ts";

/** How the products differ that the files of a run share. */
const KINDS = {
  /** As customers have it, with limits that no test meets. */
  usual: {},
  /** Deadlines, retries and scheduled moves come due at once; the desk is always open. */
  quick: {
    env: {
      CLAIM_LAPSE: "20s",
      DEADLINE_POLL: "100ms",
      DESK_HOURS: "Mon-Sun 00:00-24:00",
      WEBHOOK_RETRY_SCHEDULE: "50ms,50ms,50ms,50ms,50ms",
    },
  },
} as const satisfies Record<string, TestProductOptions>;

type Kind = keyof typeof KINDS;

const NUMBERS_A_FILE = 2_000;

const sharedProduct = z.object({
  databaseUrl: z.string(),
  kafkaBrokers: z.string(),
  registryUrl: z.string(),
  secretsKey: z.string(),
  apiUrl: z.string(),
  deskUrl: z.string(),
  apiKey: z.string(),
  deskToken: z.string(),
  topicPrefix: z.string(),
  logFolder: z.string(),
  /** Where the file's own numbers begin. */
  numbers: z.number().int(),
});

/** The run's shared product, as an account of the caller's own; it started with the first file that asked for it. */
export function startProduct(): Promise<Product> {
  return sharedAs("usual");
}

/** The same with short clocks: for files about deadlines, retries and expiry. */
export function startQuickProduct(): Promise<Product> {
  return sharedAs("quick");
}

let accounts = 0;

async function sharedAs(kind: Kind): Promise<Product> {
  const response = await fetch(`${testStack().products_url}/${kind}`);
  if (!response.ok) throw new Error(await response.text());
  const { numbers, ...product } = sharedProduct.parse(await response.json());
  accounts += 1;
  const body = { name: `Account ${process.pid}-${accounts}` };
  const made = await call(`${product.deskUrl}/desk/v1/accounts`, {
    method: "POST",
    key: product.deskToken,
    body,
  });
  return { ...product, apiKey: textOf(made, "api_key"), newNumber: numbersFrom(numbers) };
}

export interface SharedProducts {
  readonly url: string;
  stop(): Promise<void>;
}

/** In the stack's process: starts a shared product, or the browser, when it is first asked for. */
export async function serveSharedProducts(): Promise<SharedProducts> {
  const started = new Map<Kind, Promise<Product>>();
  let files = 0;
  const server = createServer((request, response) => {
    // Files ask far apart: a connection kept for the next one may end just as it is used.
    response.shouldKeepAlive = false;
    const kind = request.url?.slice(1) ?? "";
    if (kind === "browser") {
      serveBrowser().then(
        (address) => response.end(address),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
      return;
    }
    if (!isKind(kind)) {
      response.writeHead(404).end();
      return;
    }
    const product = started.get(kind) ?? startOwnProduct(KINDS[kind]);
    started.set(kind, product);
    files += 1;
    const numbers = files * NUMBERS_A_FILE;
    product.then(
      (running) => response.end(JSON.stringify({ ...running, supervisor: undefined, numbers })),
      (error: unknown) => {
        // The next file may try again.
        started.delete(kind);
        response.writeHead(500).end(String(error));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await endAll();
    },
  };
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}
