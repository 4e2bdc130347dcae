import { Agent, buildConnector } from "undici";

import type { AddressPolicy } from "./address-policy.ts";
import { literalAddress } from "./url-rules.ts";
import type { Resolve } from "./vet-host.ts";
import { BlockedAddress, guardedLookup, resolveByDns } from "./vet-host.ts";

/** A kept connection is closed after this, so that a name's new addresses are vetted soon. */
const CONNECTION_LIFE_MS = 60_000;

export interface GuardedAgentOptions {
  readonly policy: AddressPolicy;
  readonly connectTimeoutMs: number;
  readonly resolve?: Resolve;
}

/**
 * An HTTP client that connects to vetted addresses only. Node asks `lookup` for names but never for IP literals, so
 * these are checked before; the peer's address is checked once more when the socket stands. The URL stays as it is:
 * the certificate is verified against the name. It follows no redirects and reads no proxy from the environment.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  return new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    clientTtl: CONNECTION_LIFE_MS,
    keepAliveMaxTimeout: CONNECTION_LIFE_MS,
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function guardedConnector(options: GuardedAgentOptions): buildConnector.connector {
  const { policy } = options;
  const lookup = guardedLookup(policy, options.resolve ?? resolveByDns);
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    lookup,
  });
  return (target, callback) => {
    const literal = literalAddress(target.hostname);
    const refused = literal === null ? null : policy.refusal(literal);
    if (refused !== null) {
      // Later, as every other outcome: undici has yet to note that it connects.
      setImmediate(() => callback(new BlockedAddress(refused), null));
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const reason = policy.refusal(socket.remoteAddress ?? "");
      if (reason === null) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(new BlockedAddress(reason), null);
    });
  };
}
