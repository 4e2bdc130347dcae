import type { Context } from "koa";
import { FairSlots, refusedAs, type FairSlotsOptions } from "../../fair-slots.ts";
import { isEventStream } from "./reply.ts";

/** Slots for the requests of a caller that run at once. */
export interface CallerSlots<P> {
  /** Undefined if a slot is free, else resolves when one is. @throws `rate_limited` */
  enter(principal: P): Promise<void> | undefined;
  leave(principal: P): void;
}

/** Slots that callers take by their owners; who gets none is refused with this detail. */
export function fairCallerSlots<P>(
  options: FairSlotsOptions,
  ownerOf: (principal: P) => string,
  detail: string,
): CallerSlots<P> {
  const slots = new FairSlots(options);
  const tooManyAtOnce = refusedAs(detail);
  return {
    enter: (principal) => slots.enter(ownerOf(principal))?.catch(tooManyAtOnce),
    leave: (principal) => slots.leave(ownerOf(principal)),
  };
}

/** Runs a caller's work in one of the slots, where there are any. @throws `rate_limited` */
export async function inSlot<P, T>(
  slots: CallerSlots<P> | undefined,
  principal: P,
  work: () => Promise<T>,
): Promise<T> {
  if (slots === undefined) return work();
  await slots.enter(principal);
  try {
    return await work();
  } finally {
    slots.leave(principal);
  }
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
