import { Command } from "commander";
import { runCommandLine } from "../../platform/command-line.ts";
import { releaseSchemas } from "./release-schemas.ts";

const program = new Command("release:schemas")
  .description(
    "adds each changed schema to schemas/history as its next version, and generates types",
  )
  .action(() => {
    const released = releaseSchemas(process.cwd());
    for (const { name, version } of released) console.log(`${name}: version ${version}`);
    if (released.length === 0) console.log("Every schema is released.");
  });

await runCommandLine(program);
