import type { TraceCursor } from "./store/trace.ts";

const FORM = /^(\d{1,15})\.(\d)\.(.{1,400})$/su;

/** The id of a step: its place in the trace. */
export function traceIdOf({ at, rank, key }: TraceCursor): string {
  return Buffer.from(`${at.getTime()}.${rank}.${key}`).toString("base64url");
}

/** The place that an id names; null for what is no id of a step. */
export function readTraceId(id: string): TraceCursor | null {
  const [, at = "", rank = "", key = ""] =
    FORM.exec(Buffer.from(id, "base64url").toString("utf8")) ?? [];
  const cursor = { at: new Date(Number(at)), rank: Number(rank), key };
  const isOwn = at !== "" && !key.includes("\0") && traceIdOf(cursor) === id;
  return isOwn ? cursor : null;
}
