import type { OutboxMessage, Place } from "./outbox-message.ts";
import type { Progress } from "./store/sent-messages.ts";
import type { Position } from "./stream/stream-buffer.ts";

/** What is read again after a lost connection is hardly more: it is confirmed once a second. */
const REMEMBERED = 20_000;

/** What is handled and not written yet. */
export interface Unwritten {
  readonly places: readonly Place[];
  readonly progress: Progress | null;
  /** May be confirmed once these are written. */
  readonly position: Position | null;
}

function later<T extends number | Date>(one: T, other: T | undefined): T {
  return other !== undefined && other > one ? other : one;
}

/** What is handled and not written yet, and what need not be sent again where the stream repeats it. */
export class HandledMessages {
  readonly #sent = new Set<number>();
  readonly #places = new Map<number, Place>();
  #progress: Progress | null = null;
  #position: Position | null = null;

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
      const known = this.#progress;
      this.#progress = { id: later(id, known?.id), at: later(createdAt, known?.at) };
    }
    this.#position = position ?? this.#position;
  }

  unwritten(): Unwritten {
    const places = [...this.#places.values()];
    return { places, progress: this.#progress, position: this.#position };
  }

  /** What came meanwhile is written with the next. */
  written({ places, progress, position }: Unwritten): void {
    for (const place of places) {
      const { id } = place.message;
      if (this.#places.get(id) === place) this.#places.delete(id);
    }
    if (this.#progress === progress) this.#progress = null;
    if (this.#position === position) this.#position = null;
  }

  /** A position is that of one stream. */
  forgetPosition(): void {
    this.#position = null;
  }
}
