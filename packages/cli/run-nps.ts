import { Command, CommanderError } from "commander";
import { join } from "node:path";
import { isNotFound } from "../client/errors.ts";
import { readJsonFile, textField } from "./access.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addDeliveryCommands } from "./commands/deliveries.ts";
import { addDocumentCommands } from "./commands/documents.ts";
import { addEndpointCommands } from "./commands/endpoints.ts";
import { addEventCommands } from "./commands/events.ts";
import { addHolderCommands } from "./commands/holders.ts";
import { addLoginCommands } from "./commands/login.ts";
import { addNumberCommands } from "./commands/numbers.ts";
import { addOrderCommands } from "./commands/orders.ts";
import { addPortOutCommands } from "./commands/port-outs.ts";
import { addWebhookCommands } from "./commands/webhooks.ts";
import { describeError, EXIT_CODES, notTheApi } from "./errors.ts";
import type { Host } from "./host.ts";
import { Session } from "./session.ts";

/** Runs a command line to its end and returns the exit code; errors are sentences on standard error. */
export async function runNps(host: Host): Promise<number> {
  const session = new Session(host);
  try {
    await createProgram(session).parseAsync([...host.args], { from: "user" });
    return session.exitCode;
  } catch (error) {
    session.progress.clear();
    // Commander has written its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage;
    if (host.signal.aborted) return EXIT_CODES.interrupted;
    const known = isNotFound(error) && !(await session.isApiThere()) ? notTheApi() : error;
    const { text, exitCode } = describeError(known, session.keyHint);
    host.stderr.write(`${text}\n`);
    return exitCode;
  }
}

const HELP = `
Environment:
  NPS_API_URL, NPS_API_KEY       in place of a login
  NPS_DESK_URL, NPS_DESK_TOKEN   the sandbox's desk, for nps trigger
  NO_COLOR                       no colours

Exit codes: 0 done, 1 a fault of nps, 2 wrong command line, 3 no access, 4 not found,
5 refused, 6 no answer, 7 the result is a no, 130 ended by Ctrl-C.
`;

/** The whole command line; every command is in the tree, so that help and completion know it. */
export function createProgram(session: Session): Command {
  const { host } = session;
  const program = new Command("nps")
    .description("The Number Porting Service on the command line")
    .version(textField(readJsonFile(join(host.projectRoot, "package.json")) ?? {}, "version"))
    .helpCommand(false)
    .addHelpText("after", HELP)
    .showHelpAfterError("(--help says what there is)")
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
    })
    .exitOverride();
  addLoginCommands(program, session);
  addWebhookCommands(program, session);
  addEventCommands(program, session);
  addDeliveryCommands(program, session);
  addEndpointCommands(program, session);
  addOrderCommands(program, session);
  addDocumentCommands(program, session);
  addHolderCommands(program, session);
  addNumberCommands(program, session);
  addPortOutCommands(program, session);
  addCompletionCommand(program, session);
  return program;
}
