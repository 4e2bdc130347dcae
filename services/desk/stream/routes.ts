import {
  endWithClient,
  HEARTBEAT,
  OPENING,
  streamReply,
} from "../../platform/http/routing/event-stream.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import type { ChangeWatch } from "./live-hints.ts";

/** How soon a stream ends after its token or session was revoked. */
const HEARTBEAT_MS = 10_000;

/** `GET /desk/v1/stream`: hints of what changed, from any process, within two seconds. */
export function streamRoutes({ bus, live: { watch, listeners, readmit } }: DeskDeps): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/stream", "Follow what changes at the desk as Server-Sent Events", {
      operationId: "streamDeskHints",
      description: `Hints: each says what to fetch again. Their \`data\` is JSON.

- \`review\`: \`{order_id, attempt, state, claimed_by, due_at}\`, a case was opened, claimed, released, decided or withdrawn, or its claim lapsed;
- \`order\`: \`{id, account_id, status}\`, something happened to an order;
- \`counts\`: \`{at}\`, the counts of \`GET /desk/v1/reviews\` may differ;
- \`health\`: \`{at, status}\`, there is a new sample, a minute after the one before.

They come within two seconds. There is no resuming: fetch everything again after a reconnect. Where very many orders
change at once, only the newest are hinted at. The stream ends at the next heartbeat, within 15 seconds, after the
token or session is revoked, and at once for a client that reads too slowly. At most 10 streams an operator.`,
      answers: { 200: { mediaTypes: ["text/event-stream"] } },
      refuses: ["rate_limited"],
      produces: "text/event-stream",
      noStore: true,
      handle: ({ principal: { operatorId }, ctx }) => {
        const stream = listeners.open(operatorId);
        endWithClient(ctx.res, stream);
        const mayListen = async (): Promise<boolean> => {
          try {
            return (await readmit(ctx)) === operatorId;
          } catch (error) {
            bus.log.warn({ err: error }, "a stream ends, because its token could not be checked");
            return false;
          }
        };
        return streamReply(hintFrames({ watch, heartbeatMs: HEARTBEAT_MS, mayListen, stream }));
      },
    }),
  ];
}

/** Frames that wait for a reader; one that lets more gather is cut, and fetches everything when it returns. */
const MOST_WAITING = 2_000;

interface HintStreamOptions {
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
