import type { OutboxMessage } from "./outbox-message.ts";
import { EVERY_TOPIC, type DeferredTopic } from "./store/deferral-notes.ts";

/** A topic that was refused is tried again after this long; meanwhile a try takes a third of a second from the others. */
export const REFUSED_PAUSE_MS = 5_000;

interface Deferral {
  note: DeferredTopic;
  waiting: number;
  /** By the monotonic clock. */
  pausedUntil: number;
}

/** Topics whose messages wait in the table, and are tried now and then; those of all other topics do not wait for them. */
export class DeferredTopics {
  readonly #topics = new Map<string, Deferral>();

  /** As noted: what is new there is due, what is gone is over. */
  load(notes: readonly DeferredTopic[]): void {
    const names = new Set(notes.map(({ topic }) => topic));
    for (const topic of this.#topics.keys()) if (!names.has(topic)) this.#topics.delete(topic);
    for (const note of notes) {
      const known = this.#topics.get(note.topic);
      if (known === undefined) {
        const { waiting } = note;
        this.#topics.set(note.topic, { note, waiting, pausedUntil: -Infinity });
      } else known.note = note;
    }
  }

  /** Whether it waits by itself, whatever all others do. */
  has(topic: string): boolean {
    return this.#topics.has(topic);
  }

  includes(topic: string): boolean {
    return this.has(topic) || this.has(EVERY_TOPIC);
  }

  /** One whose messages need wait no longer. */
  due(nowMs: number): DeferredTopic | null {
    return [...this.#topics.values()].find(({ pausedUntil }) => pausedUntil <= nowMs)?.note ?? null;
  }

  /** Until one is due. */
  waitMs(nowMs: number): number {
    const waits = [...this.#topics.values()].map(({ pausedUntil }) => pausedUntil - nowMs);
    return Math.max(0, Math.min(...waits));
  }

  waiting(): ReadonlyMap<string, number> {
    return new Map([...this.#topics].map(([topic, { waiting }]) => [topic, waiting]));
  }

  /** Counts messages that wait; returns for each note that must be made, or made lower, the first id. */
  add(messages: readonly OutboxMessage[], isRefused = false): ReadonlyMap<string, number> {
    const first = new Map<string, number>();
    for (const { topic: own, id } of messages) {
      const topic = isRefused || this.has(own) || !this.has(EVERY_TOPIC) ? own : EVERY_TOPIC;
      const known = this.#topics.get(topic);
      if (known !== undefined) known.waiting += 1;
      if (id < (first.get(topic) ?? known?.note.fromId ?? Infinity)) first.set(topic, id);
    }
    return first;
  }

  /** So many of them were sent. */
  sent(topic: string, messages: number): void {
    const known = this.#topics.get(topic);
    if (known !== undefined) known.waiting = Math.max(0, known.waiting - messages);
  }

  isPaused(topic: string, nowMs: number): boolean {
    return (this.#topics.get(topic)?.pausedUntil ?? -Infinity) > nowMs;
  }

  /** The messages of the topic wait until then, by the monotonic clock. */
  pause(topic: string, untilMs: number): void {
    const known = this.#topics.get(topic);
    if (known !== undefined) known.pausedUntil = untilMs;
  }
}
