import { Argument, type Command } from "commander";
import { completionScript, SHELLS, type Shell } from "../completion/completion-script.ts";
import { wordsOf } from "../completion/words-of.ts";
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
