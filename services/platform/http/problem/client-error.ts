import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";

const LINGER_MS = 1_000;

interface Refusal {
  readonly status: string;
  readonly code: string;
  readonly detail: string;
}

const MALFORMED: Refusal = {
  status: "400 Bad Request",
  code: "invalid_header",
  detail: "This is not a well-formed HTTP request.",
};

/** What Node's parser takes of a request: times in ms, and the bytes of its first line and headers. */
export interface RequestLimits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly maxHeaderSize: number;
}

const NOT_ENCODED: Refusal = {
  status: "400 Bad Request",
  code: "invalid_header",
  detail: "The path or the query has a character that a URL cannot have: percent-encode it.",
};

function refusalOf(code: string | undefined, limits: RequestLimits): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      status: "431 Request Header Fields Too Large",
      code: "invalid_header",
      detail: `The path and the headers are larger than ${limits.maxHeaderSize} bytes.`,
    };
  }
  if (code === "HPE_INVALID_URL") return NOT_ENCODED;
  if (code !== "ERR_HTTP_REQUEST_TIMEOUT") return MALFORMED;
  const [headers, whole] = [limits.headersTimeout / 1_000, limits.requestTimeout / 1_000];
  return {
    status: "408 Request Timeout",
    code: "request_timeout",
    detail: `The headers did not arrive within ${headers} s, or the whole request within ${whole} s.`,
  };
}

interface Connection {
  /** Whether a response is being written already. */
  readonly answering: boolean;
  readonly limits: RequestLimits;
}

/** Responds to what Node's parser refused before there is a request, and closes the connection. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { answering, limits }: Connection,
): void {
  if (socket.writableEnded) return;
  if (!socket.writable || answering || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  socket.end(textOf(refusalOf(error.code, limits)));
  // Closing at once would reset the connection before the response is read.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function textOf({ status, code, detail }: Refusal): string {
  const requestId = randomUUID();
  const body = JSON.stringify({
    type: `urn:numberporting:problem:${code}`,
    title: status.slice(4),
    status: Number(status.slice(0, 3)),
    detail,
    code,
    request_id: requestId,
  });
  return [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${requestId}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
