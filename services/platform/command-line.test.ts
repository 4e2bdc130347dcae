import { describe, expect, it } from "@jest/globals";
import { Command } from "commander";
import { AppError } from "./errors.ts";
import { runCommandLine, type CommandLineHost } from "./command-line.ts";

/** A process that was started with `act <given>`. */
function startedWith(given: string) {
  const written: string[] = [];
  const host: CommandLineHost = {
    argv: ["node", "program", "act", given],
    stderr: { write: (text: string) => written.push(text) },
    exitCode: undefined,
  };
  return { host, written };
}

function programOf(action: (given: string) => Promise<void>): Command {
  const program = new Command("program");
  program.command("act <given>").action(action);
  return program;
}

describe("runCommandLine", () => {
  it("runs the named command and leaves the exit code to it", async () => {
    const { host, written } = startedWith("this");
    const program = programOf((given) => {
      host.exitCode = given === "this" ? 3 : 4;
      return Promise.resolve();
    });
    await runCommandLine(program, host);
    expect([host.exitCode, written]).toEqual([3, []]);
  });

  it("prints an AppError as one line and exits with 1", async () => {
    const { host, written } = startedWith("this");
    const mistake = new AppError("invalid_config", "--account is not a valid account id.");
    await runCommandLine(
      programOf(() => Promise.reject(mistake)),
      host,
    );
    expect([host.exitCode, written]).toEqual([1, ["--account is not a valid account id.\n"]]);
  });

  it("rethrows any other error", async () => {
    const { host, written } = startedWith("this");
    const bug = new TypeError("undefined is not a function");
    const running = runCommandLine(
      programOf(() => Promise.reject(bug)),
      host,
    );
    await expect(running).rejects.toBe(bug);
    expect([host.exitCode, written]).toEqual([undefined, []]);
  });
});
