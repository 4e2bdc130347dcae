import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { signatureHolds } from "../../../support/webhooks/webhook-signature.ts";

const START_MS = 30_000;

const reply = z.object({
  id: z.number(),
  value: z.unknown().optional(),
  error: z.string().optional(),
});

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface BenchProgram {
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** A child process that answers messages `{id, kind, …}` with `{id, value | error}`, and sends 0 when it is ready. */
export class BenchChild {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (message) => {
      const { id, value, error } = reply.parse(message);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    });
    child.once("exit", (code) => {
      const error = new Error(
        `${child.spawnargs.slice(1).join(" ")} ended with code ${code ?? "?"}`,
      );
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  static async start({ path, args = [], env = {} }: BenchProgram): Promise<BenchChild> {
    const child = new BenchChild(
      fork(path, [...args], { env: { ...process.env, ...env }, serialization: "json" }),
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${path} is not ready`)), START_MS);
    });
    try {
      await Promise.race([child.#reply(0), late]);
      return child;
    } catch (error) {
      await child.stop();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  ask(kind: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.#lastId += 1;
    const answer = this.#reply(this.#lastId);
    this.#child.send({ id: this.#lastId, kind, ...fields });
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  #reply(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }
}

/** The URLs of the receiver's endpoints. */
export type Endpoints = readonly string[];

const receipt = z.tuple([z.string(), z.number(), z.number()]);

/** Event id, endpoint, and the time of complete arrival on the monotonic clock. */
export type Receipt = z.infer<typeof receipt>;

const sampledPost = z.object({
  endpoint: z.number(),
  signature: z.string(),
  body: z.string(),
});

/** A POST as received, its body in base64. */
export type SampledPost = z.infer<typeof sampledPost>;

const taken = z.object({
  receipts: z.array(receipt),
  samples: z.array(sampledPost),
  held_most: z.number(),
});

export interface Received {
  readonly receipts: readonly Receipt[];
  /** The number of sampled POSTs whose signatures were checked. */
  readonly verified: number;
  /** The most requests that the hanging endpoint held at once, each on a separate socket. */
  readonly heldMost: number;
}

/** The local receiver of a run, in its own process. */
export class Receiver {
  readonly urls: Endpoints;
  readonly #child: BenchChild;

  private constructor(child: BenchChild, urls: Endpoints) {
    this.#child = child;
    this.urls = urls;
  }

  static async start(endpoints: number): Promise<Receiver> {
    const path = fileURLToPath(new URL("receiver-program.ts", import.meta.url));
    const child = await BenchChild.start({ path, args: [String(endpoints)] });
    const ports = z.array(z.number()).parse(await child.ask("ports"));
    return new Receiver(
      child,
      ports.map((port) => `http://127.0.0.1:${port}/hook`),
    );
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Clears the records; from now on the given endpoint accepts POSTs and never answers. */
  async reset(hanging: number | null = null): Promise<void> {
    await this.#child.ask("reset", hanging === null ? {} : { endpoint: hanging });
  }

  async count(): Promise<number> {
    return z.number().parse(await this.#child.ask("count"));
  }

  /** Waits until `count` POSTs are answered. */
  async whenReceived(count: number, timeoutMs: number): Promise<void> {
    const what = `${count} deliveries to be received`;
    await until(async () => (await this.count()) >= count, { timeoutMs, what, everyMs: 20 });
  }

  /** The POSTs since the reset. @throws where a sampled POST does not carry its endpoint's signature */
  async take(secretOf: (endpoint: number) => string): Promise<Received> {
    const { receipts, samples, held_most: heldMost } = taken.parse(await this.#child.ask("take"));
    for (const { endpoint, signature, body } of samples) {
      const headers = { "porting-signature": signature };
      const post = { path: "/hook", headers, body: Buffer.from(body, "base64") };
      if (!signatureHolds(secretOf(endpoint), post)) throw new Error("a signature is invalid");
    }
    return { receipts, verified: samples.length, heldMost };
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
