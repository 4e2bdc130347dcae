import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIPv6 } from "node:net";
import type { Socket } from "node:net";

/** The proxy could not be spoken to: away, not believed, or without an answer that makes sense. */
export class ProxyUnusable extends Error {
  constructor(options?: ErrorOptions) {
    super("the proxy could not be used", options);
    this.name = "ProxyUnusable";
  }
}

/** The proxy answered and opened no tunnel. */
export class TunnelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the proxy answered ${status}`);
    this.name = "TunnelRefused";
    this.status = status;
  }

  /** It tried, and did not get there. */
  get isUnreachable(): boolean {
    return this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export interface TunnelEnd {
  readonly address: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

/**
 * Asks an HTTP proxy (`http://` or `https://`, user name and password in the URL) for a connection by CONNECT.
 * Rejects with `TunnelRefused` or `ProxyUnusable`.
 */
export function openTunnel(
  proxyUrl: string,
  { address, port, signal }: TunnelEnd,
): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const send = proxy.protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const request = send(proxyUrl, {
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...authorization(proxy) },
      agent: false,
      signal,
    });
    request.on("error", (cause) => reject(new ProxyUnusable({ cause })));
    request.on("connect", ({ statusCode = 0 }, socket: Socket, head) => {
      // TLS on top of it ends by itself when the socket does; without a listener its error would end the process.
      socket.on("error", () => undefined);
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new TunnelRefused(statusCode));
    });
    // Only an answer without CONNECT's meaning, such as an upgrade, comes here.
    request.on("response", () => reject(new ProxyUnusable()));
    request.end();
  });
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
