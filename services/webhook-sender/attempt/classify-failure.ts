import { errors } from "undici";
import type { AttemptErrorCode } from "../../domain/webhook/rules/delivery.ts";
import { errorCodeOf } from "../../platform/errors.ts";
import { TunnelRefused } from "./open-tunnel.ts";
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
