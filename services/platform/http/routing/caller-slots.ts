import type { Context } from "koa";
import { isEventStream } from "./reply.ts";

/** Slots for the requests of a caller that run at once. */
export interface CallerSlots<P> {
  /** Undefined if a slot is free, else resolves when one is. @throws `rate_limited` */
  enter(principal: P): Promise<void> | undefined;
  leave(principal: P): void;
}

/**
 * Gives a handled request's slot back once its answer is written, so that a slow reader keeps it. An event stream, which
 * has no end, keeps none: those have a limit of their own.
 */
export function leaveWhenWritten({ res }: Context, leave: (() => void) | null): void {
  if (leave === null) return;
  if (res.destroyed || isEventStream(res.getHeader("Content-Type"))) leave();
  else res.once("close", leave);
}
