import type { Socket } from "node:net";
import { buildConnector } from "undici";

import type { OpenVetted, VettedTarget } from "./connect-within.ts";
import { openTunnel, TunnelRefused } from "./open-tunnel.ts";

/**
 * Connects through a proxy. The proxy gets one of the vetted addresses, never the name, so that it connects to what
 * was vetted.
 */
export function tunnelConnector(proxyUrl: string, tls: buildConnector.BuildOptions): OpenVetted {
  const secure = buildConnector(tls);
  return (vetted, callback) => {
    const { target, signal } = vetted;
    openOne(proxyUrl, vetted).then(
      (socket) => {
        signal.addEventListener("abort", () => socket.destroy());
        if (target.protocol === "https:") secure({ ...target, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** The next address is tried only if the proxy could not reach the previous one. */
async function openOne(
  proxyUrl: string,
  { target: { protocol, port }, addresses, signal }: VettedTarget,
): Promise<Socket> {
  const to = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  let unreachable: unknown;
  for (const { address } of addresses) {
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
