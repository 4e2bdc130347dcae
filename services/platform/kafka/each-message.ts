import { setImmediate } from "node:timers/promises";
import { AppError } from "../errors.ts";
import type { OnBatch } from "./consumer.ts";
import { BatchInterrupted, READ_AT_ONCE } from "./handle-batch.ts";
import type { RawMessage } from "./raw-message.ts";
import type { Logger } from "../logger.ts";

/** Of a batch: a carrier may send noise by the hundred thousand. */
const MOST_LINES = 10;

interface MessageReader<M> {
  readonly decode: (raw: RawMessage) => M | Promise<M>;
  readonly handle: (message: M, raw: RawMessage) => void;
  readonly log: Logger;
}

/** Decodes messages and skips undecodable ones: an integration has no database for dead letters. */
export function eachMessage<M>({ decode, handle, log }: MessageReader<M>): OnBatch {
  return async (batch, control) => {
    let skipped = 0;
    for (const [n, raw] of batch.entries()) {
      if (n > 0 && n % READ_AT_ONCE === 0) await setImmediate();
      await control.heartbeat();
      try {
        const message = await decode(raw);
        if (!control.isOver()) handle(message, raw);
      } catch (error) {
        if (error instanceof AppError && error.retryable) throw error;
        skipped += 1;
        const at = { topic: raw.topic, offset: raw.offset };
        if (skipped <= MOST_LINES) log.warn({ err: error, ...at }, "a message was skipped");
      }
      if (control.isOver()) throw new BatchInterrupted();
    }
    if (skipped > MOST_LINES) log.warn({ messages: skipped }, "messages of a batch were skipped");
  };
}
