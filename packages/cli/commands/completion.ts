import { Argument, type Command } from "commander";
import type { Session } from "../session.ts";

/** `nps completion`: a script for the shell, made from the commands that there are. */
export function addCompletionCommand(program: Command, session: Session): void {
  program
    .command("completion")
    .description("print the completion script of a shell: source <(nps completion bash)")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .action((shell: Shell) => {
      session.printer({}).line(completionScript(shell, wordsOf(program)));
    });
}

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** The completion of `nps` for a shell. */
export function completionScript(shell: Shell, words: readonly Words[]): string {
  switch (shell) {
    case "bash":
      return bashScript(words);
    case "zsh":
      // zsh runs bash's completion functions by itself.
      return `autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n${bashScript(words)}`;
    case "fish":
      return fishScript(words);
  }
}

/** Follows the words before the cursor down the commands, then offers what may come there. `path` is PATH to zsh. */
function bashScript(words: readonly Words[]): string {
  const paths = words.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  const cases = words.flatMap(({ path, commands, options, values }) => [
    ...[...values]
      .filter(([option]) => option !== "")
      .map(([option, choices]) => `    "${path}:${option}") words="${choices.join(" ")}" ;;`),
    `    "${path}:"*) words="${[...commands, ...(values.get("") ?? []), ...options].join(" ")}" ;;`,
  ]);
  return `_nps() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${at:+$at }\${COMP_WORDS[i]}" in
      ${paths.join("|")}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at:$previous" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _nps nps`;
}

function fishScript(words: readonly Words[]): string {
  const lines = words.flatMap(({ path, commands, options, values }) => {
    const when = `-n '__nps_at "${path}"'`;
    const offered = [...commands, ...(values.get("") ?? [])];
    return [
      ...(offered.length === 0 ? [] : [`complete -c nps ${when} -f -a '${offered.join(" ")}'`]),
      ...options.map((option) => {
        const choices = values.get(option);
        const after = choices === undefined ? "" : ` -x -a '${choices.join(" ")}'`;
        return `complete -c nps ${when} -l ${option.slice(2)}${after}`;
      }),
    ];
  });
  const paths = words.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `function __nps_at
  set -l path ""
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$path $word")
    contains -- "$next" ${paths.join(" ")}; and set path $next
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}`;
}

/** The words that may follow at one place of the command line. */
interface Words {
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
