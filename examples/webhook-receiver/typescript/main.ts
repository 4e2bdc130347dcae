/**
 * Receives webhooks of the Number Porting Service: checks the signature, stores the event, responds, then
 * processes it. Reads WEBHOOK_SECRETS (comma-separated), PORT, HOST and DATA_DIR from the environment.
 */
import { createServer, type IncomingMessage } from "node:http";
import { resolve } from "node:path";
import { EventInbox } from "./event-inbox.ts";
import { refusalOf } from "./verify-signature.ts";
import { Worker, type PortingEvent } from "./worker.ts";

const MAX_BODY_BYTES = 4 * 1_024 * 1_024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const secrets = (process.env["WEBHOOK_SECRETS"] ?? "").split(",").filter((text) => text !== "");
if (secrets.length === 0) throw new Error("WEBHOOK_SECRETS is not set");

const dataDir = process.env["DATA_DIR"] ?? "data";
const inbox = new EventInbox(dataDir);
console.log(`keeps its events in ${resolve(dataDir)} (DATA_DIR)`);
const worker = new Worker(inbox, handle);

/** Your processing. It may run twice if the program is killed before the event is marked as processed. */
async function handle(event: PortingEvent): Promise<void> {
  console.log(`handled ${event.type} ${event.id}`);
  await Promise.resolve();
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The id inside the signed body. The header repeats it, but is not signed: an attacker who replays a
 * request may change it.
 */
function signedId(body: Buffer): string | null {
  try {
    const event: unknown = JSON.parse(body.toString("utf8"));
    const id = typeof event === "object" && event !== null && "id" in event ? event.id : null;
    return typeof id === "string" && UUID.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** The response status. 2xx means that the event is stored; anything else causes a retry. */
async function receive(request: IncomingMessage): Promise<number> {
  if (request.method !== "POST") return 405;
  const body = await readBody(request);
  if (body === null) return 413;
  const { "porting-signature": header } = request.headers;
  const signed = { header: header?.toString(), body };
  const refusal = refusalOf(signed, { secrets, nowSeconds: Math.floor(Date.now() / 1_000) });
  if (refusal !== null) {
    console.error(`refused: ${refusal}`);
    return 401;
  }
  const id = signedId(body);
  if (id === null) return 400;
  if (await inbox.keep(id, body)) worker.add([id]);
  else console.log(`seen before ${id}`);
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.requestTimeout = 15_000;

worker.add(await inbox.open());
const port = Number(process.env["PORT"] ?? 8080);
server.listen(port, process.env["HOST"] ?? "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on ${typeof address === "object" ? (address?.port ?? "") : address}`);
});
process.once("SIGTERM", () => server.close());
