import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** `up`: from the client to the server. */
export type Direction = "up" | "down";

/** What every connection of a proxy suffers, the open ones included. */
export interface LinkFault {
  /** Delays what flows in these directions; default: both. */
  readonly directions?: readonly Direction[];
  readonly latencyMs?: number;
  /** Each chunk's latency differs by up to this much, in either direction. */
  readonly jitterMs?: number;
  readonly bytesPerSecond?: number;
  /** Nothing flows, nothing is closed: bytes are held back until `heal`, as a network retransmits lost packets. */
  readonly silent?: boolean;
}

const BOTH: readonly Direction[] = ["up", "down"];
/** What may wait in the proxy before the sender is held up. */
const MOST_WAITING_BYTES = 1024 * 1024;

interface Waiting {
  readonly chunk: Buffer;
  readonly dueAt: number;
}

/** A TCP proxy on this machine that can delay, silence, throttle and cut its connections. */
export class FaultProxy {
  readonly #server: Server;
  readonly #pipes = new Set<Pipe>();
  #fault: LinkFault = {};

  private constructor(targetPort: () => number) {
    const halfOpen = { allowHalfOpen: true };
    this.#server = createServer(halfOpen, (client) => this.#open(client, targetPort()));
  }

  /** Before the port of this machine that `targetPort` returns at each connection. Stopped after the tests. */
  static async start(targetPort: () => number): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    endAfterTests(() => proxy.stop());
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pipes.size / BOTH.length;
  }

  /** Replaces the fault that the connections suffer. */
  suffer(fault: LinkFault): void {
    this.#fault = fault;
    for (const pipe of this.#pipes) pipe.flow();
  }

  /** Ends the fault; what was held back flows. */
  heal(): void {
    this.suffer({});
  }

  /** Resets every open connection; new ones are accepted. */
  cut(): void {
    for (const pipe of this.#pipes) pipe.reset();
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cut();
    await closed;
  }

  #open(client: Socket, port: number): void {
    const server = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    client.setNoDelay(true);
    const ends = { up: [client, server], down: [server, client] } as const;
    for (const direction of BOTH) {
      const [from, to] = ends[direction];
      const pipe = new Pipe(from, to, () => this.#faultOf(direction));
      this.#pipes.add(pipe);
      from.once("close", () => this.#pipes.delete(pipe));
    }
  }

  #faultOf(direction: Direction): LinkFault {
    return (this.#fault.directions ?? BOTH).includes(direction) ? this.#fault : {};
  }
}

/** One direction of one connection: forwards chunks in their order, each when it is due. */
class Pipe {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #fault: () => LinkFault;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #lastDueAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #isEnded = false;

  constructor(from: Socket, to: Socket, fault: () => LinkFault) {
    this.#from = from;
    this.#to = to;
    this.#fault = fault;
    from.on("data", (chunk: Buffer) => this.#take(chunk));
    to.on("drain", () => this.flow());
    from.once("end", () => this.#end());
    // A reset at one end resets the other.
    from.on("error", () => to.resetAndDestroy());
  }

  reset(): void {
    this.#from.resetAndDestroy();
    this.#to.resetAndDestroy();
  }

  /** Forwards what is due, and comes back for the rest. */
  flow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { silent = false } = this.#fault();
    while (!silent && !this.#to.writableNeedDrain) {
      const [first] = this.#waiting;
      if (first === undefined) break;
      const inMs = first.dueAt - performance.now();
      if (inMs > 0) {
        this.#timer = setTimeout(() => this.flow(), inMs);
        break;
      }
      this.#waiting.shift();
      this.#waitingBytes -= first.chunk.length;
      if (!this.#to.destroyed) this.#to.write(first.chunk);
    }
    if (this.#waitingBytes < MOST_WAITING_BYTES) this.#from.resume();
    if (this.#isEnded && this.#waiting.length === 0 && !silent) this.#to.end();
  }

  /** The sender has closed: the receiver learns it after all that was sent before. */
  #end(): void {
    this.#isEnded = true;
    this.flow();
  }

  #take(chunk: Buffer): void {
    const { latencyMs = 0, jitterMs = 0, bytesPerSecond = Infinity } = this.#fault();
    const latency = Math.max(0, latencyMs + (Math.random() * 2 - 1) * jitterMs);
    const sendMs = (chunk.length / bytesPerSecond) * 1_000;
    const dueAt = Math.max(performance.now() + latency, this.#lastDueAt) + sendMs;
    this.#lastDueAt = dueAt;
    this.#waiting.push({ chunk, dueAt });
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= MOST_WAITING_BYTES) this.#from.pause();
    this.flow();
  }
}
