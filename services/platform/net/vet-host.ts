import { lookup, type LookupAddress, type LookupOptions } from "node:dns";

import type { AddressPolicy, AddressReason } from "./address-policy.ts";
import { literalAddress } from "./url-rules.ts";

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

/** Resolves a name to all its addresses; `dns.lookup` unless a test passes its own. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** `dns.lookup` in the form that `Resolve` asks for. */
export const resolveByDns: Resolve = (hostname, options, callback) => {
  lookup(hostname, options, callback);
};

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A `lookup` for sockets that returns addresses only if all of them are allowed, so that a host cannot
 * hide a forbidden address behind a public one.
 */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve = resolveByDns) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const first = error === null ? addresses[0] : undefined;
      if (first === undefined) {
        callback(error ?? notFound(hostname), "");
        return;
      }
      const reason = firstRefusal(
        policy,
        addresses.map(({ address }) => address),
      );
      if (reason !== null) callback(new BlockedAddress(reason), "");
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * All addresses of a URL's host, if all are allowed. Rejects if one is not (`BlockedAddress`) or there is
 * none.
 */
export async function vetHost(
  hostname: string,
  policy: AddressPolicy,
  resolve: Resolve = resolveByDns,
): Promise<string[]> {
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await addressesOf(hostname, resolve) : [literal];
  const reason = firstRefusal(policy, addresses);
  if (reason !== null) throw new BlockedAddress(reason);
  return addresses;
}

function addressesOf(hostname: string, resolve: Resolve): Promise<string[]> {
  return new Promise((done, fail) => {
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error !== null) fail(error);
      else if (addresses.length === 0) fail(notFound(hostname));
      else done(addresses.map(({ address }) => address));
    });
  });
}

function firstRefusal(policy: AddressPolicy, addresses: readonly string[]): AddressReason | null {
  for (const address of addresses) {
    const reason = policy.refusal(address);
    if (reason !== null) return reason;
  }
  return null;
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" });
}
