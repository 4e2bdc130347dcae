import { randomUUID } from "node:crypto";

const OWN_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** The client's own `Request-Id` if it is valid, else a new one. */
export function readRequestId(sent: string | string[] | undefined): string {
  return typeof sent === "string" && OWN_ID.test(sent) ? sent : randomUUID();
}
