import { request as requestPlain, type IncomingMessage } from "node:http";
import { request as requestSecure } from "node:https";
import { isIPv6, type Socket } from "node:net";

/**
 * The proxy itself is unusable: unreachable, untrusted, or refusing our credentials. No target was
 * contacted.
 */
export class ProxyUnusable extends Error {
  constructor(options?: ErrorOptions) {
    super("the proxy could not be used", options);
    this.name = "ProxyUnusable";
  }
}

/** The proxy was reached but opened no tunnel. */
export class TunnelRefused extends Error {
  /** Whether the proxy forbids the target; else it could not reach it. */
  readonly isForbidden: boolean;

  constructor({ isForbidden }: { readonly isForbidden: boolean }) {
    super(isForbidden ? "the proxy forbids the target" : "the proxy did not reach the target");
    this.name = "TunnelRefused";
    this.isForbidden = isForbidden;
  }
}

export interface TunnelEnd {
  readonly address: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

/**
 * Opens a connection through an HTTP proxy (`http://` or `https://`, user name and password in the URL)
 * by CONNECT. Rejects with `ProxyUnusable`, `TunnelRefused`, or the signal's abort reason once the proxy
 * was reached.
 */
export function openTunnel(
  proxyUrl: string,
  { address, port, signal }: TunnelEnd,
): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  const isSecure = proxy.protocol === "https:";
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  return new Promise((resolve, reject) => {
    let isReached = false;
    const request = (isSecure ? requestSecure : requestPlain)(proxyUrl, {
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...authorization(proxy) },
      agent: false,
      signal,
    });
    request.on("socket", (socket) => {
      socket.once(isSecure ? "secureConnect" : "connect", () => (isReached = true));
    });
    request.on("error", (cause) => {
      if (!isReached) reject(new ProxyUnusable({ cause }));
      else reject(signal.aborted ? asError(signal.reason) : unreached());
    });
    request.on("connect", (answer, socket: Socket, head) => {
      // TLS on top of the socket ends with it; without a listener its error would end the process.
      socket.on("error", () => undefined);
      const refusal = refusalIn(answer);
      if (refusal === null) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(refusal);
    });
    // An upgrade is not a valid response to CONNECT.
    request.on("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(unreached());
    });
    request.end();
  });
}

const unreached = (): TunnelRefused => new TunnelRefused({ isForbidden: false });

/** smokescreen responds 407 with a header of its own to targets that its rules forbid. */
function refusalIn({ statusCode = 0, headers }: IncomingMessage): Error | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode === 407 && headers["x-smokescreen-error"] === undefined) {
    return new ProxyUnusable({ cause: new Error("it requires other credentials (407)") });
  }
  return new TunnelRefused({ isForbidden: statusCode === 403 || statusCode === 407 });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
