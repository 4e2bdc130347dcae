import { Command } from "commander";
import { z } from "zod";
import { carriersShape } from "../../services/domain/carrier/read-carriers.ts";
import { durationMs, readEnv } from "../../services/platform/config.ts";
import { runCommandLine } from "../../services/platform/command-line.ts";
import { runCertify } from "./certify/run-certify.ts";
import { checkCarriers } from "./check-carriers.ts";

const folderOf = (env: NodeJS.ProcessEnv): string =>
  readEnv(z.object(carriersShape), env).CARRIERS_DIR;

interface CertifyFlags {
  readonly carrier?: string;
  readonly numbers: string;
  readonly timeout: string;
}

async function certifyProvider(provider: string, flags: CertifyFlags): Promise<void> {
  const passed = await runCertify({
    carriersDir: folderOf(process.env),
    provider,
    carrier: flags.carrier ?? null,
    numberPrefix: flags.numbers,
    timeoutMs: readEnv(z.object({ timeout: durationMs() }), { timeout: flags.timeout }).timeout,
    env: process.env,
    print: (line) => console.log(line),
  });
  if (!passed) process.exitCode = 1;
}

const program = new Command("carriers").description("The carriers' files and integrations");
program
  .command("check")
  .description("name every fault of the files in CARRIERS_DIR, and each missing status and code")
  .action(() => {
    const folder = folderOf(process.env);
    const { faults, notes } = checkCarriers(folder);
    for (const note of notes) console.log(`note: ${note}`);
    for (const fault of faults) console.log(`fault: ${fault}`);
    console.log(`${folder}: ${faults.length} faults, ${notes.length} notes`);
    if (faults.length > 0) process.exitCode = 1;
  });
program
  .command("certify <provider>")
  .description("drive a provider's running integration through every kind of request")
  .option("--carrier <name>", "losing carrier of the orders; the provider's first by default")
  .option("--numbers <prefix>", "new numbers are this and six more digits", "+12127")
  .option("--timeout <duration>", "how long each answer may take", "60s")
  .action(certifyProvider);

await runCommandLine(program);
