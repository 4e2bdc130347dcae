import { describe, expect, it } from "@jest/globals";
import { AppError } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { eachMessage } from "./each-message.ts";
import { BatchInterrupted, type BatchControl } from "./handle-batch.ts";
import type { RawMessage } from "./raw-message.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const log = createLogger("test", "silent");

const rawOf = (messageId: string): RawMessage => buildRawMessage({ messageId });

const batch = ["a", "b", "c"].map(rawOf);

/** Reads the batch; `handled` are the messages that had an effect. */
function read({
  decode,
  isOver = () => false,
}: {
  readonly decode: (raw: RawMessage) => string;
  readonly isOver?: () => boolean;
}) {
  const handled: string[] = [];
  let heartbeats = 0;
  const control: BatchControl = {
    isOver,
    wait: () => Promise.resolve(true),
    commit: () => Promise.resolve(),
    heartbeat: () => {
      heartbeats += 1;
      return Promise.resolve();
    },
  };
  const onBatch = eachMessage({ decode, handle: (message: string) => handled.push(message), log });
  return { done: onBatch(batch, control), handled, heartbeats: () => heartbeats };
}

describe("eachMessage", () => {
  it("skips what cannot be decoded, and sends a heartbeat for each", async () => {
    const decode = ({ messageId }: RawMessage): string => {
      if (messageId === "b") throw new AppError("undecodable", "planted");
      return messageId;
    };
    const { done, handled, heartbeats } = read({ decode });
    await done;
    expect([handled, heartbeats()]).toEqual([["a", "c"], 3]);
  });

  it("handles nothing more once the partition is lost, not even what was being decoded", async () => {
    let lost = false;
    const decode = ({ messageId }: RawMessage): string => {
      lost = messageId === "b";
      return messageId;
    };
    const { done, handled } = read({ decode, isOver: () => lost });
    await expect(done).rejects.toBeInstanceOf(BatchInterrupted);
    expect(handled).toEqual(["a"]);
  });

  it("is interrupted also where the partition is lost with an undecodable last message", async () => {
    let lost = false;
    const decode = ({ messageId }: RawMessage): string => {
      lost = messageId === "c";
      if (lost) throw new AppError("undecodable", "planted");
      return messageId;
    };
    const { done } = read({ decode, isOver: () => lost });
    await expect(done).rejects.toBeInstanceOf(BatchInterrupted);
  });

  it("throws what is worth another try", async () => {
    const decode = (): string => {
      throw new AppError("registry_unavailable", "planted", { retryable: true });
    };
    await expect(read({ decode }).done).rejects.toThrow("planted");
  });
});
