import { Agent, buildConnector, Pool } from "undici";

import type { AddressPolicy } from "./address-policy.ts";
import { OneRequestClient } from "./one-request-client.ts";
import { shareLookups } from "./share-lookups.ts";
import { tunnelConnector } from "./tunnel-connect.ts";
import { literalAddress } from "./url-rules.ts";
import {
  BlockedAddress,
  guardedLookup,
  PlainHttp,
  resolveByDns,
  type Resolve,
} from "./vet-host.ts";

/** A kept-alive connection is closed after this, so that a name's new addresses are vetted soon. */
const CONNECTION_LIFE_MS = 60_000;

/** Where outgoing requests may go, and through which proxy. */
export interface Egress {
  readonly policy: AddressPolicy;
  readonly allowHttp: boolean;
  /** An HTTP proxy that opens every connection by CONNECT; the URL may contain a user name and a password. */
  readonly proxyUrl?: string | undefined;
  readonly resolve?: Resolve;
  /**
   * PEM of the only trusted certificate authority; by default the system's and those of
   * NODE_EXTRA_CA_CERTS.
   */
  readonly ca?: string;
}

export interface GuardedAgentOptions extends Egress {
  /** For DNS, connection and TLS together. */
  readonly connectTimeoutMs: number;
}

/**
 * An HTTP/1.1 client that connects only to vetted addresses, directly or through its proxy. The URL is
 * unchanged, so the certificate is verified against the name. It follows no redirects and reads no proxy
 * from the environment.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const connect = guardedConnector(options);
  const settings = {
    allowH2: false,
    clientTtl: CONNECTION_LIFE_MS,
    keepAliveMaxTimeout: CONNECTION_LIFE_MS,
    maxHeaderSize: 16_384,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        ...settings,
        factory: (url, ofClient) => new OneRequestClient(url, ofClient, connect),
      }),
  });
}

function guardedConnector(options: GuardedAgentOptions): buildConnector.connector {
  const { policy, allowHttp, proxyUrl, connectTimeoutMs, ca } = options;
  const resolve = shareLookups(options.resolve ?? resolveByDns);
  const tls = {
    timeout: connectTimeoutMs,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  } as const;
  const connect =
    proxyUrl === undefined
      ? directConnector(policy, buildConnector({ ...tls, lookup: guardedLookup(policy, resolve) }))
      : tunnelConnector({ proxyUrl, policy, resolve, timeoutMs: connectTimeoutMs, tls });
  return (target, callback) => {
    if (target.protocol === "https:" || allowHttp) connect(target, callback);
    // Asynchronous, like every other outcome: undici has not noted yet that it is connecting.
    else setImmediate(() => callback(new PlainHttp(), null));
  };
}

/**
 * Node calls `lookup` for names but never for IP literals, so these are checked first; the peer's address
 * is checked again once the socket is connected.
 */
function directConnector(
  policy: AddressPolicy,
  connect: buildConnector.connector,
): buildConnector.connector {
  return (target, callback) => {
    const literal = literalAddress(target.hostname);
    const refused = literal === null ? null : policy.refusal(literal);
    if (refused !== null) {
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
