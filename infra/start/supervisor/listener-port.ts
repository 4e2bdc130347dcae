import { freePort, isPortFree } from "./free-port.ts";

/**
 * A port that was free when it was chosen, but that another process may take before its listener binds it: until it is
 * settled, each start may choose another one. A fixed port never changes.
 */
export class ListenerPort {
  #number: number;
  #isSettled: boolean;

  private constructor(number: number, isSettled: boolean) {
    this.#number = number;
    this.#isSettled = isSettled;
  }

  /** A port that the user set. */
  static fixed(number: number): ListenerPort {
    return new ListenerPort(number, true);
  }

  /** `preferred` if it is free, else any free port. */
  static async free(preferred?: number): Promise<ListenerPort> {
    const isUsable = preferred !== undefined && (await isPortFree(preferred));
    return new ListenerPort(isUsable ? preferred : await freePort(), false);
  }

  get number(): number {
    return this.#number;
  }

  /** The port is in use by clients: it no longer changes. */
  settle(): void {
    this.#isSettled = true;
  }

  /** Call before each (re)start of the listener. */
  async moveIfTaken(): Promise<number> {
    if (!this.#isSettled && !(await isPortFree(this.#number))) this.#number = await freePort();
    return this.#number;
  }
}
