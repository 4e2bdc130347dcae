import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

import { AppError } from "../errors.ts";

/** Why an address is not public. The address itself is never shown to a customer. */
export type AddressReason = "loopback" | "private" | "link_local" | "multicast" | "reserved";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [range: string, reason: AddressReason];

/** The IPv4 blocks of the IANA special-purpose registry, multicast and class E. */
const DENIED_V4: readonly Block[] = [
  ["0.0.0.0/8", "reserved"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "private"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link_local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "reserved"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "reserved"],
  ["198.51.100.0/24", "reserved"],
  ["203.0.113.0/24", "reserved"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
];

/** No IPv6 address outside this is public, so NAT64's prefix is refused whatever it embeds. */
const GLOBAL_V6 = "2000::/3";

/** Non-public ranges inside it: Teredo and its neighbours, documentation, 6to4. */
const DENIED_V6: readonly Block[] = [
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "reserved"],
  ["2002::/16", "reserved"],
  ["3fff::/20", "reserved"],
];

const OUTSIDE_V6: readonly Block[] = [
  ["::1/128", "loopback"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link_local"],
  ["ff00::/8", "multicast"],
];

type Range = readonly [network: Address, bits: number];

/** Decides which addresses may be connected to. */
export interface AddressPolicy {
  /** Null if the address is public or allowed; a text that is not an address is `reserved`. */
  refusal(address: string): AddressReason | null;
}

/**
 * Default deny: only public addresses and those in `allowedCidrs`. IPv4 in IPv6 is treated as IPv4. This
 * machine's own current public addresses are `reserved`.
 * @throws `invalid_config` if a range is invalid
 */
export function createAddressPolicy(
  allowedCidrs: readonly string[],
  ownAddresses: readonly string[] = interfaceAddresses(),
): AddressPolicy {
  const allowed = allowedCidrs.map(readRange);
  const own = new Set(ownAddresses.map((address) => ipaddr.process(address).toString()));
  return {
    refusal(text) {
      if (!ipaddr.isValid(text)) return "reserved";
      const address = ipaddr.process(text);
      if (allowed.some((range) => isIn(address, range))) return null;
      return reasonAgainst(address) ?? (own.has(address.toString()) ? "reserved" : null);
    },
  };
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? []);
}

const compile = (blocks: readonly Block[]): readonly (readonly [Range, AddressReason])[] =>
  blocks.map(([range, reason]) => [readRange(range), reason]);

const V4_BLOCKS = compile(DENIED_V4);
const V6_BLOCKS = compile(DENIED_V6);
const V6_OUTSIDE = compile(OUTSIDE_V6);
const V6_GLOBAL = readRange(GLOBAL_V6);

function reasonAgainst(address: Address): AddressReason | null {
  const find = (blocks: typeof V4_BLOCKS): AddressReason | undefined =>
    blocks.find(([range]) => isIn(address, range))?.[1];
  if (address.kind() === "ipv4") return find(V4_BLOCKS) ?? null;
  if (!isIn(address, V6_GLOBAL)) return find(V6_OUTSIDE) ?? "reserved";
  return find(V6_BLOCKS) ?? null;
}

function isIn(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function readRange(text: string): Range {
  try {
    return ipaddr.parseCIDR(text);
  } catch (cause) {
    const detail = `${JSON.stringify(text)} is not a range such as 10.0.0.0/8 or fd00::/8.`;
    throw new AppError("invalid_config", detail, { cause });
  }
}
