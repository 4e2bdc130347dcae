import type { ServerResponse } from "node:http";

/**
 * The responses in progress, in places that are used again. A Set that changes with each request would keep what has ended
 * from being freed early: the tables that it outgrows refer to one another.
 */
export class RunningResponses {
  readonly #responses: (ServerResponse | null)[] = [];
  readonly #free: number[] = [];

  /** Returns its place, for `remove`. */
  add(response: ServerResponse): number {
    const index = this.#free.pop() ?? this.#responses.length;
    this.#responses[index] = response;
    return index;
  }

  remove(index: number): void {
    this.#responses[index] = null;
    this.#free.push(index);
  }

  /** Those in progress, in any order. */
  list(): ServerResponse[] {
    return this.#responses.filter((response) => response !== null);
  }
}
