import type { EventInbox } from "./event-inbox.ts";

const PAUSE_MS = 10_000;

export interface PortingEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly payload: unknown;
}

/** Processes events one by one, separately from their requests; failures are retried later. */
export class Worker {
  readonly #inbox: EventInbox;
  readonly #handle: (event: PortingEvent) => Promise<void>;
  readonly #waiting: string[] = [];
  #isBusy = false;

  constructor(inbox: EventInbox, handle: (event: PortingEvent) => Promise<void>) {
    this.#inbox = inbox;
    this.#handle = handle;
  }

  add(ids: readonly string[]): void {
    this.#waiting.push(...ids);
    if (!this.#isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    for (let id = this.#waiting.shift(); id !== undefined; id = this.#waiting.shift()) {
      await this.#work(id);
    }
    this.#isBusy = false;
  }

  async #work(id: string): Promise<void> {
    try {
      const body = await this.#inbox.read(id);
      await this.#handle(JSON.parse(body.toString("utf8")) as PortingEvent);
      await this.#inbox.finish(id);
    } catch (error) {
      console.error(`${id} failed and will be retried:`, error);
      setTimeout(() => this.add([id]), PAUSE_MS).unref();
    }
  }
}
