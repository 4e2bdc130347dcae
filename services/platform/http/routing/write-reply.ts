import type { Context } from "koa";

import type { ProblemAnswer } from "../problem/problem.ts";
import type { Reply } from "./reply.ts";
import { writeContent, writeJson } from "./write-content.ts";

/** Writes a reply; prefixes its `Location`, a path, with the configured public URL. */
export async function writeReply(ctx: Context, reply: Reply, publicUrl: string): Promise<void> {
  ctx.status = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    ctx.res.setHeader(name, name === "Location" ? `${publicUrl}${value}` : value);
  }
  if (reply.raw !== undefined) {
    await writeContent(ctx, reply.raw);
  } else if (reply.body !== undefined) {
    await writeJson(ctx, "application/json", reply.body);
  } else {
    ctx.body = null;
    ctx.status = reply.status;
  }
}

export async function writeProblem(ctx: Context, problem: ProblemAnswer): Promise<void> {
  ctx.status = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) ctx.res.setHeader(name, value);
  await writeJson(ctx, "application/problem+json", problem.body);
}
