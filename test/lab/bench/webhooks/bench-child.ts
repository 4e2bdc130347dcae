import { fork, type ChildProcess } from "node:child_process";
import { z } from "zod";

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
