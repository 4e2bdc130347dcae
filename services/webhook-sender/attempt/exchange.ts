import { errors, type Dispatcher } from "undici";
import type { AttemptErrorCode } from "../../domain/webhook/rules/delivery.ts";
import { errorCodeOf } from "../../platform/errors.ts";
import { NoSlot } from "../../platform/fair-slots.ts";
import type { AbandonableRequest } from "./one-request-client.ts";
import { ProxyUnusable, TunnelRefused } from "./open-tunnel.ts";
import { BlockedAddress, PlainHttp } from "../../platform/net/address-policy.ts";

const BY_CODE: Readonly<Record<string, AttemptErrorCode>> = {
  ENOTFOUND: "dns_error",
  ENODATA: "dns_error",
  ESERVFAIL: "dns_error",
  EREFUSED: "dns_error",
  EBADRESP: "dns_error",
  ETIMEOUT: "dns_error",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  ECONNABORTED: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  ETIMEDOUT: "timeout_connect",
  UND_ERR_CONNECT_TIMEOUT: "timeout_connect",
  UND_ERR_HEADERS_OVERFLOW: "invalid_response",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "invalid_response",
  CERT_HAS_EXPIRED: "tls_expired",
  CERT_NOT_YET_VALID: "tls_expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_wrong_host",
  HOSTNAME_MISMATCH: "tls_wrong_host",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "tls_version",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "tls_version",
  EPROTO: "tls_other",
  // undici asserts on some malformed responses, such as a status below 100.
  ERR_ASSERTION: "invalid_response",
};

/** Of the certificate's chain, as OpenSSL names them. */
const UNTRUSTED =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|CRL_)/;
const TLS = /^ERR_(TLS|SSL)_/;

/** Classifies a network failure. Customers see only the class, never the error itself. */
export function classifyFailure(error: unknown): AttemptErrorCode {
  if (error instanceof BlockedAddress) return "blocked_address";
  if (error instanceof PlainHttp) return "not_https";
  if (error instanceof TunnelRefused) {
    return error.isForbidden ? "blocked_address" : "connection_failed";
  }
  if (isInvalidAnswer(error)) return "invalid_response";
  if (error instanceof AggregateError) {
    const all: readonly unknown[] = error.errors;
    return all.length === 0 ? "connection_failed" : classifyFailure(all[0]);
  }
  const code = errorCodeOf(error);
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (UNTRUSTED.test(code)) return "tls_untrusted";
  if (TLS.test(code)) return "tls_other";
  if (code.startsWith("EAI_")) return "dns_error";
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? classifyFailure(cause) : "connection_failed";
}

/**
 * undici uses one class and code for a closed socket and for an unexpected response; only the messages
 * differ.
 */
function isInvalidAnswer(error: unknown): boolean {
  if (error instanceof errors.HTTPParserError) return true;
  return error instanceof errors.SocketError && error.message.startsWith("bad ");
}

/** The whole exchange: DNS, connection, TLS, request and the response's status line. */
const EXCHANGE_DEADLINE_MS = 15_000;
/** Shorter than the exchange's deadline, so that a connect timeout differs from a response timeout. */
export const CONNECT_DEADLINE_MS = 10_000;
const BODY_DEADLINE_MS = 2_000;
/** A timer this late means that the process itself did not run at the deadline. */
const STALLED_MS = 20;
/** After a stall, for what the receiver sent in the meantime. */
const LAST_LOOK_MS = 250;
const MAX_READ_BYTES = 16_384;
export const STORED_BYTES = 4_096;
/** The most 1xx responses accepted before the final one. */
const MAX_ANNOUNCED = 16;

export interface WebhookRequest {
  /** The account that it is sent for. */
  readonly owner: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Nothing was sent, which is not the receiver's fault: the operator's proxy could not be used, or the host's name did
 * not come to be looked up among the many of its account.
 */
export class Unsent {
  readonly reason: ProxyUnusable | NoSlot;

  constructor(reason: ProxyUnusable | NoSlot) {
    this.reason = reason;
  }
}

/** The result of a request: a status, or the class of the failure that came before one. */
export interface Answer {
  readonly status: number | null;
  readonly failure: AttemptErrorCode | null;
  /** The first 4 KiB of the response body. */
  readonly body: Buffer;
}

export interface Exchange {
  /** Never rejects; null if the exchange was cancelled. */
  readonly answer: Promise<Answer | Unsent | null>;
  cancel(): void;
}

/**
 * POSTs once, within `deadlineMs`. It does not follow redirects or decompress, and reads at most 16 KiB
 * of the response.
 */
export function startExchange(
  client: Dispatcher,
  request: WebhookRequest,
  deadlineMs = EXCHANGE_DEADLINE_MS,
): Exchange {
  const handler = new ExchangeHandler(deadlineMs);
  const { origin, pathname, search } = new URL(request.url);
  const post: AbandonableRequest = {
    origin,
    path: pathname + search,
    method: "POST",
    headers: request.headers,
    body: request.body,
    owner: request.owner,
    isAbandoned: () => handler.isOver,
  };
  try {
    client.dispatch(post, handler);
  } catch (error) {
    handler.onResponseError(null, error);
  }
  return { answer: handler.answer, cancel: () => handler.cancel() };
}

const ENOUGH = new Error("the rest of the response is not read");

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly answer: Exchange["answer"];
  #resolve: (answer: Answer | Unsent | null) => void = () => undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #timer: NodeJS.Timeout;
  #status: number | null = null;
  #chunks: Buffer[] = [];
  #readBytes = 0;
  #announced = 0;
  #over = false;
  readonly #endsAtMs: number;

  constructor(deadlineMs: number) {
    this.#endsAtMs = performance.now() + deadlineMs;
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.#onDeadline(), deadlineMs);
  }

  get isOver(): boolean {
    return this.#over;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(ENOUGH);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) {
      this.#announced += 1;
      if (this.#announced > MAX_ANNOUNCED) this.#end("invalid_response");
      return;
    }
    this.#status = status;
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#endsAtMs - performance.now());
    this.#timer = setTimeout(() => this.#late(), Math.min(left, BODY_DEADLINE_MS));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    if (this.#readBytes < STORED_BYTES) this.#chunks.push(chunk);
    this.#readBytes += chunk.length;
    if (this.#readBytes > MAX_READ_BYTES) this.#end(null);
  }

  onResponseEnd(): void {
    this.#end(null, true);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    const isUnsent = error instanceof ProxyUnusable || error instanceof NoSlot;
    if (!isUnsent) this.#end(classifyFailure(error));
    else if (!this.#over) {
      this.#finish(true);
      this.#resolve(new Unsent(error));
    }
  }

  cancel(): void {
    if (this.#over) return;
    this.#finish();
    this.#resolve(null);
  }

  /** A receiver is not blamed for a time in which this process did not run: what has come is read first. */
  #onDeadline(): void {
    if (performance.now() < this.#endsAtMs + STALLED_MS) this.#late();
    else this.#timer = setTimeout(() => this.#late(), LAST_LOOK_MS);
  }

  #late(): void {
    this.#end(this.#controller === null ? "timeout_connect" : "timeout_response");
  }

  /** Once there is a status line, the response is valid however its body ends. */
  #end(failure: AttemptErrorCode | null, complete = false): void {
    if (this.#over) return;
    this.#finish(complete);
    const body = Buffer.concat(this.#chunks).subarray(0, STORED_BYTES);
    this.#resolve({ status: this.#status, failure: this.#status === null ? failure : null, body });
  }

  #finish(complete = false): void {
    this.#over = true;
    clearTimeout(this.#timer);
    if (!complete) this.#controller?.abort(ENOUGH);
  }
}
