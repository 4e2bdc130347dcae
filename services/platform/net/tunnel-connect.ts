import type { Socket } from "node:net";
import { buildConnector, errors } from "undici";

import type { AddressPolicy } from "./address-policy.ts";
import { openTunnel, TunnelRefused } from "./open-tunnel.ts";
import { vetHost, type Resolve } from "./vet-host.ts";

export interface TunnelConnectOptions {
  readonly proxyUrl: string;
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  /** For DNS, proxy, tunnel and TLS together. */
  readonly timeoutMs: number;
  readonly tls: buildConnector.BuildOptions;
}

type Target = buildConnector.Options;

/**
 * Connects through a proxy. Names are resolved and vetted here, and the proxy gets one of those
 * addresses, never the name, so that it connects to what was vetted.
 */
export function tunnelConnector(options: TunnelConnectOptions): buildConnector.connector {
  const { timeoutMs } = options;
  const secure = buildConnector(options.tls);
  return (target, callback) => {
    const limit = new AbortController();
    let isOver = false;
    const end: buildConnector.Callback = (...[error, socket]) => {
      clearTimeout(timer);
      if (isOver) return;
      isOver = true;
      if (error === null) callback(null, socket);
      else callback(error, null);
    };
    const timer = setTimeout(() => {
      const late = new errors.ConnectTimeoutError("no connection through the proxy in time");
      limit.abort(late);
      // After the abort's own outcome: only the tunnel knows whether the proxy was reached.
      setImmediate(() => end(late, null));
    }, timeoutMs);
    tunnelTo(target, { ...options, signal: limit.signal }).then(
      (socket) => {
        limit.signal.addEventListener("abort", () => socket.destroy());
        if (target.protocol === "https:") secure({ ...target, httpSocket: socket }, end);
        else end(null, socket);
      },
      (error: unknown) => end(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** The next address is tried only if the proxy could not reach the previous one. */
async function tunnelTo(
  { hostname, protocol, port }: Target,
  options: TunnelConnectOptions & { readonly signal: AbortSignal },
): Promise<Socket> {
  const { policy, resolve, proxyUrl, signal } = options;
  const addresses = await vetHost(hostname, policy, resolve);
  const to = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  let unreachable: unknown;
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      return await openTunnel(proxyUrl, { address, port: to, signal });
    } catch (error) {
      if (!(error instanceof TunnelRefused) || error.isForbidden) throw error;
      unreachable = error;
    }
  }
  throw unreachable;
}
