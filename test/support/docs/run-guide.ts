import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodeBlock } from "../../../infra/docs-site/code-blocks.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { outputOf } from "../programs/program-output.ts";

/** `npx nps` works in a clone alone. A command that fails ends the guide, and so does an answer from 400 on. */
const PRELUDE = `set -Eeuo pipefail
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
shopt -s inherit_errexit
npx() { [ "$1" = nps ] && shift && node "$NPS" "$@"; }
curl() { command curl --fail-with-body "$@"; }
`;

/** The port of receivers in guides, which may be taken on this machine. */
const PORT_IN_GUIDES = /\b4000\b/g;

const DEADLINE_MS = 240_000;

export interface GuideRun {
  /** Programs of the guide are saved here, and its commands run here. */
  readonly folder: string;
  readonly blocks: readonly CodeBlock[];
  readonly env: NodeJS.ProcessEnv;
}

export const isCommand = ({ language }: CodeBlock): boolean => language === "sh";

/** Runs a guide's commands in one shell, as its reader does, and returns what they print. @throws with it where one fails */
export async function runGuide({ folder, blocks, env }: GuideRun): Promise<string> {
  const port = String(await freePort());
  const placed = blocks.map((block) => ({
    ...block,
    text: block.text.replaceAll(PORT_IN_GUIDES, port),
  }));
  for (const { attributes, text } of placed) {
    if (attributes["file"] !== undefined) writeFileSync(join(folder, attributes["file"]), text);
  }
  const commands = placed.filter(isCommand).map(({ text }) => text);
  const script = join(folder, "guide.sh");
  writeFileSync(script, [PRELUDE, ...commands, ""].join("\n"));
  const child = spawn("bash", [script], {
    cwd: folder,
    // A group of its own, so that programs which the guide left running end with it.
    detached: true,
    env: { ...process.env, NPS: join(projectRoot, "packages", "cli", "main.ts"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = outputOf(child);
  const end = (): void => killGroup(child.pid);
  endAfterTests(end);
  const deadline = setTimeout(end, DEADLINE_MS);
  const closed = once(child, "close");
  await once(child, "exit");
  clearTimeout(deadline);
  end();
  await closed;
  if (child.exitCode !== 0) throw new Error(`It failed:\n${output()}`);
  return output();
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    // Nothing is left of it.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
