import { networkInterfaces } from "node:os";
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { z } from "zod";
import { flag, list } from "../config.ts";
import { AppError } from "../errors.ts";
import { createNameResolver, type Resolve } from "./name-resolver.ts";
import { literalAddress } from "./url-rules.ts";

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

/**
 * A host to which connections are not allowed. The message names the kind of its address, never the
 * address.
 */
export class BlockedAddress extends Error {
  readonly reason: AddressReason;

  constructor(reason: AddressReason) {
    super(`the host has a ${reason} address`);
    this.name = "BlockedAddress";
    this.reason = reason;
  }
}

/** A URL without TLS although that is not allowed. */
export class PlainHttp extends Error {
  constructor() {
    super("the URL does not begin with https://");
    this.name = "PlainHttp";
  }
}

interface HostCheck {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  /** The account on whose behalf the name is looked up. */
  readonly owner: string;
}

/**
 * All addresses of a URL's host, each of which may be connected to, so that a host cannot hide a forbidden address
 * behind a public one.
 * @throws `BlockedAddress` where one of them may not, `NoSlot`, and the resolver's errors
 */
export async function vetHost(
  hostname: string,
  { policy, resolve, owner }: HostCheck,
): Promise<readonly LookupAddress[]> {
  const literal = literalAddress(hostname);
  const addresses =
    literal === null
      ? await resolve(hostname, owner)
      : [{ address: literal, family: literal.includes(":") ? 6 : 4 }];
  if (addresses.length === 0) throw notFound(hostname);
  const reason = firstRefusal(policy, addresses);
  if (reason !== null) throw new BlockedAddress(reason);
  return addresses;
}

function firstRefusal(
  policy: AddressPolicy,
  addresses: readonly LookupAddress[],
): AddressReason | null {
  for (const { address } of addresses) {
    const reason = policy.refusal(address);
    if (reason !== null) return reason;
  }
  return null;
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" });
}

const PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+))(?::(?<port>\d{1,5}))?$/;

/** Which hosts webhooks may go to; the same for who takes their URLs and for who sends to them. */
export const egressShape = {
  WEBHOOK_ALLOW_HTTP: flag(false),
  WEBHOOK_ALLOW_CIDRS: list(),
  /** Name servers in place of the system's: `10.0.0.2`, `10.0.0.2:5353`, `[fd00::2]:53`. */
  WEBHOOK_NAME_SERVERS: list().refine(
    (items) => items.every(isServer),
    "expected addresses such as 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53",
  ),
} as const;

type EgressConfig = z.output<z.ZodObject<typeof egressShape>>;

interface EgressRules {
  readonly policy: AddressPolicy;
  readonly allowHttp: boolean;
  readonly resolve: Resolve;
}

export function egressRules(config: EgressConfig): EgressRules {
  const servers = config.WEBHOOK_NAME_SERVERS;
  return {
    policy: createAddressPolicy(config.WEBHOOK_ALLOW_CIDRS),
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    resolve: createNameResolver(servers.length === 0 ? {} : { servers }),
  };
}

function isServer(text: string): boolean {
  const { six, four, port } = PORT.exec(text)?.groups ?? {};
  const isAddress = six === undefined ? isIP(four ?? "") === 4 : isIP(six) === 6;
  return (isAddress || isIP(text) === 6) && Number(port ?? 53) <= 65_535;
}
