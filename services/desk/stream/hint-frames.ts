import { HEARTBEAT, OPENING } from "../../platform/http/routing/event-stream.ts";
import type { ChangeWatch } from "./change-watch.ts";

/** Frames that wait for a reader; one that lets more gather is cut, and fetches everything when it returns. */
const MOST_WAITING = 2_000;

export interface HintStreamOptions {
  readonly watch: Pick<ChangeWatch, "listen">;
  readonly heartbeatMs: number;
  /** Whether the reader may still listen; asked before each heartbeat. */
  readonly mayListen: () => Promise<boolean>;
  readonly stream: AbortController;
}

/** Yields the hints as they come; heartbeats are due however many hints there are. */
export async function* hintFrames(options: HintStreamOptions): AsyncGenerator<string, void> {
  const { watch, heartbeatMs, mayListen, stream } = options;
  const queue = new FrameQueue(stream);
  const leave = watch.listen((frames) => {
    queue.add(frames);
  });
  try {
    yield OPENING;
    let beatAt = performance.now() + heartbeatMs;
    for (;;) {
      const text = await queue.take(Math.max(0, beatAt - performance.now()));
      if (text === null) return;
      if (text !== "") yield text;
      if (performance.now() < beatAt) continue;
      if (!(await mayListen())) return;
      yield HEARTBEAT;
      beatAt = performance.now() + heartbeatMs;
    }
  } finally {
    leave();
    stream.abort();
  }
}

class FrameQueue {
  readonly #stream: AbortController;
  #frames: string[] = [];
  #wake: (() => void) | null = null;

  constructor(stream: AbortController) {
    this.#stream = stream;
    stream.signal.addEventListener("abort", () => this.#wake?.(), { once: true });
  }

  add(frames: readonly string[]): void {
    if (this.#frames.length + frames.length > MOST_WAITING) this.#stream.abort();
    else this.#frames.push(...frames);
    this.#wake?.();
  }

  /** What has gathered, or the first that comes within the time, empty if nothing does; null once the stream has ended. */
  async take(ms: number): Promise<string | null> {
    if (this.#frames.length === 0 && !this.#stream.signal.aborted) await this.#change(ms);
    return this.#stream.signal.aborted ? null : this.#frames.splice(0).join("");
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = wake;
    });
  }
}
