import { Command } from "commander";
import { providerNamesIn } from "../../services/domain/carrier/read-carriers.ts";
import { planTopics } from "../../services/messages/topic-plan.ts";
import { findBusAccess, runCommandLine } from "../../services/platform/command-line.ts";
import { readConfig, replicationWarning, type TopicsConfig } from "./config.ts";
import { ensureQuotas } from "./ensure-quotas.ts";
import { ensureRights } from "./ensure-rights.ts";
import { ensureTopics } from "./ensure-topics.ts";
import { warnOfForeignVersions } from "./foreign-versions.ts";

/** The settings of the environment; without addresses there, those of the running `npm start`. */
async function findConfig(): Promise<TopicsConfig> {
  const { brokers, security, registry } = await findBusAccess(process.env);
  const addresses = {
    KAFKA_BROKERS: brokers.join(","),
    SCHEMA_REGISTRY_URL: registry.SCHEMA_REGISTRY_URL,
  };
  return { ...readConfig({ ...process.env, ...addresses }), security, registry };
}

const program = new Command("topics")
  .description("Creates every topic and registers every schema")
  .action(async () => {
    const config = await findConfig();
    const warning = replicationWarning(config);
    if (warning !== null) console.warn(`topics: ${warning}`);
    await ensureTopics({ ...config, log: (line) => console.log(line) });
    console.log(await ensureQuotas({ ...config, providers: providerNamesIn(config.carriersDir) }));
    const { subjects } = planTopics(config);
    for (const line of await warnOfForeignVersions(config.registry, subjects)) console.warn(line);
  });
program
  .command("acls")
  .description("grants each service and each provider its rights on Kafka, and prints them")
  .action(async () => {
    const config = await findConfig();
    const providers = providerNamesIn(config.carriersDir);
    for (const line of await ensureRights({ ...config, providers })) console.log(line);
  });

await runCommandLine(program);
