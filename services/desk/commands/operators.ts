import { Argument, Command, Option } from "commander";
import { OPERATOR_ROLES, type OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { systemClock } from "../../platform/clock.ts";
import { findDatabaseUrl, runCommandLine } from "../../platform/command-line.ts";
import { createPool } from "../../platform/db/pool.ts";
import { createLogger } from "../../platform/logger.ts";
import { operatorCommands, type OperatorCommands } from "./manage-operators.ts";

async function run(command: (commands: OperatorCommands) => Promise<string[]>): Promise<void> {
  const url = await findDatabaseUrl(process.env);
  const pool = createPool({
    url,
    service: "operators",
    size: 1,
    log: createLogger("operators", "error"),
  });
  try {
    const lines = await command(operatorCommands({ pool, clock: systemClock }));
    for (const line of lines) console.log(line);
  } finally {
    await pool.end();
  }
}

const program = new Command("operators").description("The desk's operators and their tokens");
program
  .command("add <name>")
  .description("add an operator")
  .addOption(
    new Option(
      "--role <role>",
      "what the operator may do (default: admin for the first operator, then reviewer)",
    ).choices(OPERATOR_ROLES),
  )
  .action((name: string, { role }: { role?: OperatorRole }) =>
    run((commands) => commands.add(name, role)),
  );
program
  .command("role <name>")
  .description("change what an operator may do")
  .addArgument(new Argument("<role>", "the new role").choices(OPERATOR_ROLES))
  .action((name: string, role: OperatorRole) => run((commands) => commands.role(name, role)));
program
  .command("deactivate <name>")
  .description("end an operator's access, at once and for every token")
  .action((name: string) => run((commands) => commands.deactivate(name)));
program
  .command("activate <name>")
  .description("restore the access of a deactivated operator")
  .action((name: string) => run((commands) => commands.activate(name)));
program
  .command("token <name>")
  .description("issue a token, shown once")
  .action((name: string) => run((commands) => commands.token(name)));
program
  .command("revoke <token>")
  .description("revoke a token, given by its prefix (14 characters) or its id")
  .action((token: string) => run((commands) => commands.revoke(token)));
program
  .command("list")
  .description("list operators and their tokens")
  .action(() => run((commands) => commands.list()));

await runCommandLine(program);
