import { describe, expect, it } from "@jest/globals";
import { Command } from "commander";
import { AppError } from "./errors.ts";
import { runCommandLine, type CommandLineHost } from "./run-command-line.ts";

/** A process that was started with `act <given>`. */
function startedWith(given: string) {
  const told: string[] = [];
  const host: CommandLineHost = {
    argv: ["node", "program", "act", given],
    stderr: { write: (text: string) => told.push(text) },
    exitCode: undefined,
  };
  return { host, told };
}

function programOf(action: (given: string) => Promise<void>): Command {
  const program = new Command("program");
  program.command("act <given>").action(action);
  return program;
}

describe("runCommandLine", () => {
  it("runs what the arguments name and leaves the exit code to it", async () => {
    const { host, told } = startedWith("this");
    const program = programOf((given) => {
      host.exitCode = given === "this" ? 3 : 4;
      return Promise.resolve();
    });
    await runCommandLine(program, host);
    expect([host.exitCode, told]).toEqual([3, []]);
  });

  it("tells a mistake that has a name in one line and exits with 1", async () => {
    const { host, told } = startedWith("this");
    const mistake = new AppError("invalid_config", "--account is not the id of an account.");
    await runCommandLine(
      programOf(() => Promise.reject(mistake)),
      host,
    );
    expect([host.exitCode, told]).toEqual([1, ["--account is not the id of an account.\n"]]);
  });

  it("lets any other error through", async () => {
    const { host, told } = startedWith("this");
    const bug = new TypeError("undefined is not a function");
    const running = runCommandLine(
      programOf(() => Promise.reject(bug)),
      host,
    );
    await expect(running).rejects.toBe(bug);
    expect([host.exitCode, told]).toEqual([undefined, []]);
  });
});
