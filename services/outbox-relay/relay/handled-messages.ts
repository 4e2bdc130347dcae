import type { OutboxMessage, Place } from "./outbox-message.ts";
import type { Handled, Progress } from "./store/sent-messages.ts";
import type { Position } from "./stream/stream-buffer.ts";

/** What is read again after a lost connection is hardly more: it is confirmed once a second. */
const REMEMBERED = 20_000;

/** What is handled and not written yet, and what need not be sent again where the stream repeats it. */
export class HandledMessages {
  readonly #sent = new Set<number>();
  #places = new Map<number, Place>();
  #progress: Progress | null = null;
  #position: Position | null = null;

  get isEmpty(): boolean {
    return this.#places.size === 0 && this.#progress === null && this.#position === null;
  }

  get size(): number {
    return this.#places.size;
  }

  /** Whether this process has sent it: by the stream before, or from the table. */
  hasSent({ id }: OutboxMessage): boolean {
    return this.#sent.has(id);
  }

  addPlaces(places: readonly Place[]): void {
    for (const place of places) {
      const { id } = place.message;
      this.#places.set(id, place);
      this.#sent.add(id);
    }
    for (const id of this.#sent) {
      if (this.#sent.size <= REMEMBERED) break;
      this.#sent.delete(id);
    }
  }

  /** The stream has come so far. */
  advance(messages: readonly OutboxMessage[], position: Position | null): void {
    for (const { id, createdAt } of messages) {
      const { id: last = 0, at: latest = createdAt } = this.#progress ?? {};
      this.#progress = {
        id: Math.max(last, id),
        at: latest > createdAt ? latest : createdAt,
      };
    }
    this.#position = position ?? this.#position;
  }

  /** Empties it. */
  take(): Omit<Handled, "waiting"> & { readonly position: Position | null } {
    const taken = {
      places: [...this.#places.values()],
      progress: this.#progress,
      position: this.#position,
    };
    this.#places = new Map();
    this.#progress = null;
    this.#position = null;
    return taken;
  }

  /** What could not be written is written with what came since. */
  putBack({ places, progress, position }: ReturnType<HandledMessages["take"]>): void {
    const since = this.#places;
    this.#places = new Map(places.map((place) => [place.message.id, place]));
    for (const [id, place] of since) this.#places.set(id, place);
    const later = this.#progress;
    this.#progress =
      progress === null || later === null
        ? (later ?? progress)
        : {
            id: Math.max(progress.id, later.id),
            at: later.at > progress.at ? later.at : progress.at,
          };
    this.#position ??= position;
  }

  /** A position is that of one stream. */
  forgetPosition(): void {
    this.#position = null;
  }
}
