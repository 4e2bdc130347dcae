import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { listenWith, type Listening } from "../webhooks/raw-receiver.ts";

export interface ConnectProxy extends Listening {
  /** The requested targets, verbatim. */
  readonly asked: readonly string[];
  /** The credentials of each request, verbatim. */
  readonly credentials: readonly string[];
}

/** The proxy's answer to CONNECT for a target; null: it connects to `port` of this machine. */
export type ProxyRule = (target: string) => string | null;

/** A proxy that connects every tunnel to one port of this machine, whatever the target. */
export async function startConnectProxy(
  port: number,
  {
    rule = () => null,
    listenOn = 0,
  }: { readonly rule?: ProxyRule; readonly listenOn?: number } = {},
): Promise<ConnectProxy> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const server: Server = createServer((_request, response) => response.writeHead(405).end());
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? "";
    asked.push(target);
    credentials.push(request.headers["proxy-authorization"] ?? "");
    client.on("end", () => client.end());
    const refusal = rule(target);
    if (refusal !== null) {
      client.resume().write(refusal);
      return;
    }
    const onwards = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onwards).pipe(client);
    });
    client.on("close", () => onwards.destroy());
    onwards.on("error", () => client.destroy());
  });
  const listening = await listenWith(server, { port: listenOn });
  return Object.defineProperties(listening, {
    asked: { value: asked },
    credentials: { value: credentials },
  }) as ConnectProxy;
}
