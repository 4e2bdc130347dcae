import { freePort, isPortFree } from "./free-port.ts";

/**
 * A port that was free when it was chosen and may be taken by another process before its listener binds it: until it is
 * settled, the next start takes another one. A fixed port never changes.
 */
export class ListenerPort {
  #number: number;
  #stays: boolean;

  private constructor(number: number, stays: boolean) {
    this.#number = number;
    this.#stays = stays;
  }

  /** The user's own choice. */
  static fixed(number: number): ListenerPort {
    return new ListenerPort(number, true);
  }

  /** Any free one; `wish` where that is free. */
  static async free(wish?: number): Promise<ListenerPort> {
    const number = wish !== undefined && (await isPortFree(wish)) ? wish : await freePort();
    return new ListenerPort(number, false);
  }

  get number(): number {
    return this.#number;
  }

  /** The number has been given out: it stays. */
  settle(): void {
    this.#stays = true;
  }

  /** To be called before each (re)start of the listener. */
  async moveIfTaken(): Promise<number> {
    if (!this.#stays && !(await isPortFree(this.#number))) this.#number = await freePort();
    return this.#number;
  }
}
