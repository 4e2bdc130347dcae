import type { LookupAddress } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { Agent, buildConnector, errors, Pool } from "undici";
import {
  BlockedAddress,
  PlainHttp,
  vetHost,
  type AddressPolicy,
} from "../../platform/net/address-policy.ts";
import { createNameResolver, type Resolve } from "../../platform/net/name-resolver.ts";
import { OneRequestClient, type OwnedConnector } from "./one-request-client.ts";
import { openTunnel, TunnelRefused } from "./open-tunnel.ts";

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

function guardedConnector(options: GuardedAgentOptions): OwnedConnector {
  const { policy, allowHttp, proxyUrl, connectTimeoutMs: timeoutMs, ca } = options;
  const resolve = options.resolve ?? createNameResolver();
  const tls = {
    timeout: timeoutMs,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  } as const;
  const open =
    proxyUrl === undefined ? directConnector(policy, tls) : tunnelConnector(proxyUrl, tls);
  return (target, owner, callback) => {
    if (target.protocol !== "https:" && !allowHttp) {
      // Asynchronous, like every other outcome: undici has not noted yet that it is connecting.
      setImmediate(() => callback(new PlainHttp(), null));
      return;
    }
    const connect: ConnectWithin = (signal, end) => {
      vetHost(target.hostname, { policy, resolve, owner }).then(
        (addresses) => open({ target, addresses, signal }, end),
        (error: unknown) => end(error instanceof Error ? error : new Error(String(error)), null),
      );
    };
    connectWithin(timeoutMs, connect, callback);
  };
}

/** The socket gets the vetted addresses, not the name; the peer's address is checked again once it is connected. */
function directConnector(policy: AddressPolicy, tls: buildConnector.BuildOptions): OpenVetted {
  const vetted = new Map<string, readonly LookupAddress[]>();
  const connect = buildConnector({ ...tls, lookup: lookupIn(vetted) });
  return ({ target, addresses }, callback) => {
    // Node asks for the name's addresses before `connect` returns, and never for an IP literal.
    vetted.set(target.hostname, addresses);
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
    vetted.delete(target.hostname);
  };
}

function lookupIn(vetted: ReadonlyMap<string, readonly LookupAddress[]>): LookupFunction {
  return (hostname, options, callback) => {
    const addresses = [...(vetted.get(hostname) ?? [])];
    const [first] = addresses;
    if (first === undefined) callback(new Error("a name was looked up that was not vetted"), "");
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/**
 * Connects through a proxy. The proxy gets one of the vetted addresses, never the name, so that it connects to what
 * was vetted.
 */
function tunnelConnector(proxyUrl: string, tls: buildConnector.BuildOptions): OpenVetted {
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

/** A host whose addresses may all be connected to. */
interface VettedTarget {
  readonly target: buildConnector.Options;
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
}

type OpenVetted = (target: VettedTarget, callback: buildConnector.Callback) => void;

/** Opens a connection; what it still does once the signal is aborted is in vain. */
type ConnectWithin = (signal: AbortSignal, callback: buildConnector.Callback) => void;

/**
 * Gives name, connection and TLS one deadline together: then the callback gets a `ConnectTimeoutError`, and a connection
 * that comes after it is closed.
 */
function connectWithin(
  timeoutMs: number,
  connect: ConnectWithin,
  callback: buildConnector.Callback,
): void {
  const limit = new AbortController();
  let isOver = false;
  const end: buildConnector.Callback = (...[error, socket]) => {
    clearTimeout(timer);
    if (isOver) {
      socket?.destroy();
      return;
    }
    isOver = true;
    if (error === null) callback(null, socket);
    else callback(error, null);
  };
  const timer = setTimeout(() => {
    const late = new errors.ConnectTimeoutError("no connection in time");
    limit.abort(late);
    // After the abort's own outcome: only a tunnel knows whether its proxy was reached.
    setImmediate(() => end(late, null));
  }, timeoutMs);
  connect(limit.signal, end);
}
