import type { Server } from "node:http";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";

/** Bits of an IPv6 address that name a network: whoever has one has all of its addresses. */
const NETWORK_BITS = 64;

/** Why a connection is refused: over the limit of its address, or of the server. */
export const REFUSALS = ["address", "server"] as const;

export type Refusal = (typeof REFUSALS)[number];

interface ConnectionLimitOptions {
  /** How many connections the server has open at once. */
  readonly total: number;
  /** How many of them one address has; 0 switches both limits of an address off. */
  readonly perAddress: number;
  /** The last connections of the total are for addresses that have few. */
  readonly reserved: number;
  /** How many connections count as few. */
  readonly few: number;
  readonly onRefused: (reason: Refusal) => void;
}

/** Closes at once what is over the limits, so that no address, nor some of them, shuts the others out. */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { total, perAddress, reserved, few, onRefused } = options;
  const counts = new Map<string, number>();
  let open = 0;
  const isRefused = (ofAddress: number): boolean =>
    perAddress > 0 && (ofAddress >= perAddress || (open >= total - reserved && ofAddress >= few));
  const count = (socket: Socket): void => {
    const address = networkOf(socket.remoteAddress ?? "");
    const ofAddress = counts.get(address) ?? 0;
    if (isRefused(ofAddress)) {
      onRefused("address");
      socket.destroy();
      return;
    }
    open += 1;
    counts.set(address, ofAddress + 1);
    socket.once("close", () => {
      open -= 1;
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  };
  server.maxConnections = total;
  server.prependListener("connection", count);
  server.on("drop", () => onRefused("server"));
}

/** What limits of an address apply to: the address itself, or the network of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`).toString();
}
