/**
 * Lets a loop sleep until it is called or its time is over; a call while it is awake is kept for the next
 * wait.
 */
export class WakeUp {
  #called = false;
  #end: ((called: boolean) => void) | null = null;

  call(): void {
    if (this.#end === null) this.#called = true;
    else this.#end(true);
  }

  /** True if it was called, false if the time was over. */
  wait(ms: number): Promise<boolean> {
    if (this.#called) {
      this.#called = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end?.(false), ms);
      this.#end = (called) => {
        clearTimeout(timer);
        this.#end = null;
        resolve(called);
      };
    });
  }
}
