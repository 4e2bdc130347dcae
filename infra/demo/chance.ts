/** Repeatable choices: the same seed plays the same stories. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.below(10)).join("");
  }

  pick<T>(all: readonly [T, ...T[]]): T {
    return all[this.below(all.length)] ?? all[0];
  }

  /** By weight. */
  pickWeighted<T extends { readonly weight: number }>(all: readonly [T, ...T[]]): T {
    let rest = this.next() * all.reduce((sum, { weight }) => sum + weight, 0);
    return all.find(({ weight }) => (rest -= weight) < 0) ?? all[0];
  }
}
