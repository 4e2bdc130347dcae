import { Readable } from "node:stream";
import { projectRoot } from "../../../infra/project-root.ts";
import type { Host } from "../../../packages/cli/host.ts";

const NOWHERE = "/nowhere";

export interface TestHost {
  readonly host: Host;
  readonly written: { stdout: string; stderr: string };
  /** What Ctrl-C does. */
  readonly interrupt: () => void;
}

/** The parts of a process that a command in this process uses, with a configuration folder that does not exist. */
export function npsHost(args: readonly string[], parts: Partial<Host> = {}): TestHost {
  const written = { stdout: "", stderr: "" };
  const ended = new AbortController();
  const out = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const host: Host = {
    args,
    stdin: Readable.from([]),
    stdout: out("stdout"),
    stderr: { isTTY: true, ...out("stderr") },
    signal: ended.signal,
    projectRoot,
    ...parts,
    env: { XDG_CONFIG_HOME: NOWHERE, DATA_DIR: NOWHERE, ...parts.env },
  };
  return { host, written, interrupt: () => ended.abort() };
}
