import { AppError } from "../errors.ts";
import type { OnBatch } from "./consumer.ts";
import { BatchInterrupted } from "./handle-batch.ts";
import type { RawMessage } from "./raw-message.ts";
import type { Logger } from "../logger.ts";

interface MessageReader<M> {
  readonly decode: (raw: RawMessage) => M | Promise<M>;
  readonly handle: (message: M, raw: RawMessage) => void;
  readonly log: Logger;
}

/** Decodes messages and skips undecodable ones: an integration has no database for dead letters. */
export function eachMessage<M>({ decode, handle, log }: MessageReader<M>): OnBatch {
  return async (batch, control) => {
    for (const raw of batch) {
      await control.heartbeat();
      try {
        const message = await decode(raw);
        if (!control.isOver()) handle(message, raw);
      } catch (error) {
        if (error instanceof AppError && error.retryable) throw error;
        log.warn({ err: error, topic: raw.topic, offset: raw.offset }, "a message was skipped");
      }
      if (control.isOver()) throw new BatchInterrupted();
    }
  };
}
