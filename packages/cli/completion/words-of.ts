import type { Command } from "commander";

/** The words that may follow at one place of the command line. */
export interface Words {
  /** The commands so far, separated by spaces: `events list`; empty for none. */
  readonly path: string;
  readonly commands: readonly string[];
  readonly options: readonly string[];
  /** What may follow an option, or be the command's argument (under an empty name). */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** The words of a command and of all below it. */
export function wordsOf(command: Command, path = ""): Words[] {
  const commands = command.commands.map((one) => one.name());
  const options = command.options.flatMap(({ long }) => long ?? []);
  const ofOptions = command.options.flatMap(({ long, argChoices }) =>
    long === undefined || argChoices === undefined ? [] : [[long, argChoices] as const],
  );
  const ofArguments = command.registeredArguments.flatMap(({ argChoices }) =>
    argChoices === undefined ? [] : [["", argChoices] as const],
  );
  const own = {
    path,
    commands,
    options: [...options, "--help"],
    values: new Map([...ofOptions, ...ofArguments]),
  };
  const below = command.commands.flatMap((one) => wordsOf(one, `${path} ${one.name()}`.trim()));
  return [own, ...below];
}
