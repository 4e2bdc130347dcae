import { useEffect, useSyncExternalStore } from "react";

type Timer = ReturnType<typeof setTimeout>;

/** What comes sooner is not shown to load, so that nothing flickers. */
const LONG_MS = 150;
/** A wait that follows another as soon as this continues it, such as one for a page's data after its code. */
const GAP_MS = 200;

/** Whether anything has been awaited for so long that it should be shown, however many things are. */
export class LongWait {
  #awaited = 0;
  #isLong = false;
  #isShown = false;
  #start: Timer | undefined;
  #end: Timer | undefined;
  readonly #readers = new Set<() => void>();

  /** Something is awaited from now on; what is returned ends that, once. */
  readonly begin = (): (() => void) => {
    this.#awaited += 1;
    clearTimeout(this.#end);
    if (this.#isLong) this.#show(true);
    else this.#start ??= setTimeout(() => this.#lasts(), LONG_MS);
    return () => this.#finish();
  };

  readonly isShown = (): boolean => this.#isShown;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  };

  #lasts(): void {
    this.#isLong = true;
    if (this.#awaited > 0) this.#show(true);
  }

  #finish(): void {
    this.#awaited -= 1;
    if (this.#awaited === 0) this.#end = setTimeout(() => this.#rest(), GAP_MS);
  }

  #rest(): void {
    clearTimeout(this.#start);
    this.#start = undefined;
    this.#isLong = false;
    this.#show(false);
  }

  #show(isShown: boolean): void {
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    for (const read of this.#readers) read();
  }
}

const wait = new LongWait();

/** Shows the page to be loading while `isLoading`, after a moment; whether it shows that, for whatever reason. */
export function useLoading(isLoading: boolean): boolean {
  useEffect(() => (isLoading ? wait.begin() : undefined), [isLoading]);
  return useSyncExternalStore(wait.subscribe, wait.isShown);
}
