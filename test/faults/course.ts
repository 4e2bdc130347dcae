/** How far a fault run is. Every driver asks it whether to go on, and all of them end where one has failed. */
export class Course {
  /** Nothing new is begun. */
  driven = false;
  /** All that was begun has come to its end. */
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

  /** Waits for every driver to end, then throws the first failure, which `error` is where none of them had one. */
  async abandon(error: unknown): Promise<never> {
    this.#failure ??= { error };
    await Promise.all(this.#drivers);
    throw this.#failure.error;
  }
}
