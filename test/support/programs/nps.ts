import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Readable } from "node:stream";
import { projectRoot } from "../../../infra/project-root.ts";
import { runNps } from "../../../packages/cli/run-nps.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import type { Product } from "../product/product.ts";
import { npsHost } from "./nps-host.ts";

export interface NpsResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that goes on until it is stopped. */
export interface RunningNps {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it has ended by itself or was stopped. */
  readonly ended: Promise<NpsResult>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<NpsResult>;
}

export interface Nps {
  /** Runs a command in this process: a process of its own costs more than what most commands do. */
  run(args: readonly string[], input?: string): Promise<NpsResult>;
  start(args: readonly string[]): RunningNps;
}

export type NpsAccess = Pick<Product, "apiUrl" | "apiKey" | "deskUrl" | "deskToken">;

/** The variables by which the command line reaches a product. */
export function variablesOf(product: NpsAccess): NodeJS.ProcessEnv {
  return {
    NPS_API_URL: product.apiUrl,
    NPS_API_KEY: product.apiKey,
    NPS_DESK_URL: product.deskUrl,
    NPS_DESK_TOKEN: product.deskToken,
  };
}

/** The command line with these variables and a configuration folder of its own. */
export function npsWith(env: NodeJS.ProcessEnv): Nps {
  const folder = temporaryFolder("nps");
  const program = join(projectRoot, "packages", "cli", "main.ts");
  const all = { PATH: process.env["PATH"], XDG_CONFIG_HOME: folder, DATA_DIR: folder, ...env };
  const launch = (args: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...args], { env: all });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (part: string) => (text[name] += part));
    }
    const ended = once(child, "close").then(([code]): NpsResult => ({
      code: code as number | null,
      ...text,
    }));
    return { child, text, ended };
  };
  return {
    run: async (args, input = "") => {
      const { host, written } = npsHost(args, { env: all, stdin: Readable.from([input]) });
      const code = await runNps({ ...host, stderr: { ...host.stderr, isTTY: false } });
      return { code, ...written };
    },
    start: (args) => {
      const { child, text, ended } = launch(args);
      const stop = async (): Promise<NpsResult> => {
        child.kill("SIGINT");
        return ended;
      };
      endAfterTests(async () => {
        child.kill("SIGKILL");
        await ended;
      });
      return { stdout: () => text.stdout, stderr: () => text.stderr, ended, stop };
    },
  };
}

/** The JSON values that a command printed, one a line. */
export function jsonLines({ stdout }: Pick<NpsResult, "stdout">): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
