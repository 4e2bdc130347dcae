import { lookup } from "node:dns";
import type { LookupAddress, LookupOptions } from "node:dns";

import type { AddressPolicy, AddressReason } from "./address-policy.ts";
import { literalAddress } from "./url-rules.ts";

/** A host that may not be connected to. The message names the kind of its address, never the address. */
export class BlockedAddress extends Error {
  readonly reason: AddressReason;

  constructor(reason: AddressReason) {
    super(`the host has a ${reason} address`);
    this.name = "BlockedAddress";
    this.reason = reason;
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
 * A `lookup` for sockets that hands out addresses only where every one of the answers may be connected to, so that a
 * host cannot hide a forbidden address behind a public one.
 */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve = resolveByDns) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const first = error === null ? addresses[0] : undefined;
      if (first === undefined) {
        callback(error ?? notFound(hostname), "");
        return;
      }
      const reason = firstRefusal(policy, addresses);
      if (reason !== null) callback(new BlockedAddress(reason), "");
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Rejects where a URL's host may not be connected to (`BlockedAddress`) or has no address. */
export function vetHost(
  hostname: string,
  policy: AddressPolicy,
  resolve: Resolve = resolveByDns,
): Promise<void> {
  const literal = literalAddress(hostname);
  if (literal !== null) {
    const reason = policy.refusal(literal);
    return reason === null ? Promise.resolve() : Promise.reject(new BlockedAddress(reason));
  }
  return new Promise((done, fail) => {
    guardedLookup(policy, resolve)(hostname, { all: true }, (error) => {
      if (error === null) done();
      else fail(error);
    });
  });
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
