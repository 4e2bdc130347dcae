import { ConnectionError } from "../errors.ts";
import { SseParser, type SseMessage } from "./sse-parser.ts";

/**
 * The messages of a stream, until the server ends it. The server sends something every 15 s at least.
 * @throws ConnectionError if the stream is cut, or nothing came for `idleMs`
 */
export async function* streamMessages(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<SseMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new SseParser();
  try {
    for (;;) {
      const { done, value } = await within(idleMs, reader.read());
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(idleMs: number, read: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ConnectionError(`The stream was silent for ${idleMs} ms.`));
    }, idleMs);
  });
  try {
    return await Promise.race([read, silence]);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    throw new ConnectionError("The stream was cut.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
