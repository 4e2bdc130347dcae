import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { monotonicMs } from "./usage.ts";
import type { Receipt, SampledPost } from "./receiver.ts";

/**
 * The benchmark's receiver process: `receiver-program.ts <endpoints>` listens on a port per endpoint, because real
 * endpoints are on different hosts. It counts POSTs, records their arrival times and keeps a sample of whole POSTs.
 */
const SAMPLE_EVERY = 500;

const ask = z.object({ id: z.number(), kind: z.string(), endpoint: z.number().optional() });

let count = 0;
let receipts: Receipt[] = [];
let samples: SampledPost[] = [];
let hanging: number | null = null;
let held = 0;
let heldMost = 0;

function onPost(endpoint: number, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { headers } = request;
    receipts.push([String(headers["porting-event-id"]), endpoint, monotonicMs()]);
    if (endpoint === hanging) {
      held += 1;
      heldMost = Math.max(heldMost, held);
      response.once("close", () => (held -= 1));
      return;
    }
    response.writeHead(200).end();
    if (count % SAMPLE_EVERY === 0) {
      const signature = String(headers["porting-signature"]);
      samples.push({ endpoint, signature, body: Buffer.concat(chunks).toString("base64") });
    }
    count += 1;
  });
}

const servers = Array.from({ length: Number(process.argv[2]) }, (_, endpoint) =>
  createServer((request, response) => onPost(endpoint, request, response)),
);

const answers: Readonly<Record<string, (endpoint: number | null) => unknown>> = {
  ports: () => servers.map((server) => (server.address() as AddressInfo).port),
  reset: (endpoint) => {
    hanging = endpoint;
    count = 0;
    heldMost = held;
    receipts = [];
    samples = [];
  },
  count: () => count,
  take: () => ({ receipts, samples, held_most: heldMost }),
};

process.on("message", (message) => {
  const { id, kind, endpoint = null } = ask.parse(message);
  process.send?.({ id, value: answers[kind]?.(endpoint) });
});
process.on("disconnect", () => process.exit());

await Promise.all(
  servers.map(
    (server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve())),
  ),
);
process.send?.({ id: 0 });
