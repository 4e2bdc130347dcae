import { setTimeout as pause } from "node:timers/promises";
import { askedDelayMs, backoffMs, isPassing } from "../call/retry-delay.ts";
import type { PortingEvent } from "./porting-event.ts";

const LONGEST_WAIT_MS = 3_600_000;

/** A live stream that is open. */
export interface OpenStream {
  readonly events: AsyncIterable<PortingEvent>;
  /** Ends a stream that is not read to its end. */
  close(): Promise<void>;
}

/** Where events are read from: the API's feed and its live stream. */
export interface EventSource {
  /** The newest event of the feed, or the oldest; null where it is empty. */
  newest(): Promise<PortingEvent | null>;
  oldest(): Promise<PortingEvent | null>;
  /** Opens the stream after an event, or from now on; resolves when the server has taken the position. */
  open(after: string | null): Promise<OpenStream>;
}

export interface FollowOptions {
  /** The id of the last event that was handled; null: from the first event of the feed. From now on unless given. */
  readonly startingAfter?: string | null;
  readonly signal?: AbortSignal;
  /** Called when the stream was cut, and each time that it cannot be opened again; null where the server ended it. */
  readonly onCut?: (reason: unknown) => void;
  /** Called when the stream is open, and each time that it is open again. */
  readonly onOpen?: () => void;
}

/**
 * Yields every event after the position, in order and once, and goes on where it was after a cut, for as long as it
 * takes. Only what cannot pass ends it, such as a revoked key; before the stream was open once, any fault does.
 */
export async function* followEvents(
  source: EventSource,
  options: FollowOptions = {},
): AsyncGenerator<PortingEvent, void> {
  const { signal, onCut, onOpen, startingAfter } = options;
  let after = startingAfter;
  let wasOpen = false;
  for (let failed = 0; !isAborted(signal);) {
    let reason: unknown = null;
    try {
      if (after === undefined) after = (await source.newest())?.id ?? null;
      const stream = await openAfter(source, after);
      if ("first" in stream) {
        after = stream.first.id;
        yield stream.first;
        continue;
      }
      wasOpen = true;
      onOpen?.();
      for await (const event of stream.events) {
        if (isAborted(signal)) return;
        failed = 0;
        after = event.id;
        yield event;
      }
    } catch (error) {
      if (isAborted(signal)) return;
      if (!wasOpen || !isPassing(error)) throw error;
      reason = error;
    }
    if (isAborted(signal)) return;
    onCut?.(reason);
    failed += 1;
    await waitFor(delayMs(reason, failed), signal);
  }
}

/** A call, because an aborted signal is not seen by the compiler's flow analysis. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/**
 * A stream without a position begins with what comes after its opening, so the feed is asked for its first event before
 * and after: where there is one, it is the position to open the stream after.
 */
async function openAfter(
  source: EventSource,
  after: string | null,
): Promise<OpenStream | { readonly first: PortingEvent }> {
  if (after !== null) return source.open(after);
  const before = await source.oldest();
  if (before !== null) return { first: before };
  const stream = await source.open(null);
  const meanwhile = await source.oldest();
  if (meanwhile === null) return stream;
  await stream.close();
  return { first: meanwhile };
}

/** A stream that the server ended, as at a restart, is opened again at once; only what fails again waits. */
function delayMs(reason: unknown, failed: number): number {
  if (reason === null && failed === 1) return 0;
  const askedMs = Math.min(askedDelayMs(reason), LONGEST_WAIT_MS);
  return Math.max(askedMs, backoffMs({ failed, random: Math.random }));
}

/** Returns early when the signal is aborted. */
async function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => undefined);
}
