import type { Context } from "koa";

import type { ProblemAnswer } from "../problem/problem.ts";
import type { Reply } from "./reply.ts";

/** Writes a reply; prefixes its `Location`, a path, with the configured public URL. */
export function writeReply(ctx: Context, reply: Reply, publicUrl: string): void {
  ctx.status = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    ctx.res.setHeader(name, name === "Location" ? `${publicUrl}${value}` : value);
  }
  if (reply.raw !== undefined) {
    ctx.res.setHeader("Content-Type", reply.raw.type);
    ctx.body = reply.raw.content;
  } else if (reply.body !== undefined) {
    writeJson(ctx, "application/json", reply.body);
  } else {
    ctx.body = null;
    ctx.status = reply.status;
  }
}

export function writeProblem(ctx: Context, problem: ProblemAnswer): void {
  ctx.status = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) ctx.res.setHeader(name, value);
  writeJson(ctx, "application/problem+json", problem.body);
}

function writeJson(ctx: Context, type: string, body: unknown): void {
  ctx.res.setHeader("Content-Type", type);
  ctx.body = JSON.stringify(body);
}
