import type { LookupAddress } from "node:dns";

import type { AddressPolicy, AddressReason } from "./address-policy.ts";
import type { Resolve } from "./name-resolver.ts";
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

export interface HostCheck {
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
