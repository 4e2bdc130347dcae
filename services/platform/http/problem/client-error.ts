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

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    code: "invalid_header",
    detail: "The headers are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    code: "request_timeout",
    detail: "The request did not arrive in time.",
  },
};

/** Responds to what Node's parser refused before there is a request, and closes the connection. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answering: boolean,
): void {
  if (socket.writableEnded) return;
  if (!socket.writable || answering || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  socket.end(refusal(REFUSALS[error.code ?? ""] ?? MALFORMED));
  // Closing at once would reset the connection before the response is read.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusal({ status, code, detail }: Refusal): string {
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
