import { Argument, Command, Option } from "commander";
import { describe, expect, it } from "@jest/globals";
import { completionScript, wordsOf } from "./completion.ts";

const program = new Command("nps");
const events = program.command("events");
events
  .command("list")
  .addOption(new Option("--type <type>").choices(["loa.signed", "call.missed"]))
  .option("--limit <count>");
program.command("play").addArgument(new Argument("<what>").choices(["high", "low"]));

describe("the words of a command line", () => {
  it("are its commands, options and their values, at each place", () => {
    expect(wordsOf(program)).toEqual([
      { path: "", commands: ["events", "play"], options: ["--help"], values: new Map() },
      { path: "events", commands: ["list"], options: ["--help"], values: new Map() },
      {
        path: "events list",
        commands: [],
        options: ["--type", "--limit", "--help"],
        values: new Map([["--type", ["loa.signed", "call.missed"]]]),
      },
      { path: "play", commands: [], options: ["--help"], values: new Map([["", ["high", "low"]]]) },
    ]);
  });
});

describe("a completion script", () => {
  it.each(["bash", "zsh", "fish"] as const)("of %s has every word", (shell) => {
    const script = completionScript(shell, wordsOf(program));
    for (const word of ["events", "list", "type", "loa.signed", "play", "high"]) {
      expect(script).toContain(word);
    }
  });
});
