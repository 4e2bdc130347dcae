import { Command } from "commander";
import { z } from "zod";
import { runCommandLine } from "../../services/platform/command-line.ts";
import { runDemo } from "./run-demo.ts";

const flags = z.object({
  orders: z.coerce.number().int().min(1).max(100_000),
  concurrency: z.coerce.number().int().min(1).max(64),
  seed: z.coerce.number().int(),
});

const program = new Command("demo")
  .description("Play varied orders on the running npm start, to look at with the desk")
  .option("--orders <count>", "how many orders to play", "100")
  .option("--concurrency <count>", "how many at once", "12")
  .option("--seed <number>", "selects the stories; the run's time unless given", String(Date.now()))
  .action(async (given: unknown) => {
    const print = (line: string): void => console.log(line);
    const broken = await runDemo({ ...flags.parse(given), env: process.env, print });
    if (broken > 0) process.exitCode = 1;
  });

await runCommandLine(program);
