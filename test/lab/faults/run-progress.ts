/** The progress of a fault run. Every driver checks it to know whether to continue; all of them end when one fails. */
export class RunProgress {
  /** No driver starts anything new. */
  driven = false;
  /** Everything that was started has ended. */
  quiet = false;
  #failure: { readonly error: unknown } | null = null;
  readonly #drivers: Promise<unknown>[] = [];

  /** A driver that fails ends the others too. */
  add<T>(driver: Promise<T>): Promise<T> {
    const watched = driver.catch((error: unknown) => {
      this.#failure ??= { error };
      throw error;
    });
    this.#drivers.push(watched.catch(() => undefined));
    return watched;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** Throws the first failure. */
  check(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Waits for every driver to end, then throws the first failure: a driver's, else `error`. */
  async abandon(error: unknown): Promise<never> {
    this.#failure ??= { error };
    await Promise.all(this.#drivers);
    throw this.#failure.error;
  }
}
