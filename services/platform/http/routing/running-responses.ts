import type { ServerResponse } from "node:http";

/**
 * The responses in progress, in places that are used again. A Set that changes with each request would keep what has ended
 * from being freed early: the tables that it outgrows refer to one another.
 */
export class RunningResponses {
  readonly #places: (ServerResponse | null)[] = [];
  readonly #free: number[] = [];

  /** Returns its place, for `remove`. */
  add(response: ServerResponse): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = response;
    return place;
  }

  remove(place: number): void {
    this.#places[place] = null;
    this.#free.push(place);
  }

  /** Those in progress, in any order. */
  list(): ServerResponse[] {
    return this.#places.filter((response) => response !== null);
  }
}
