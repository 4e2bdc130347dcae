import { providerNamesIn } from "../../services/domain/carrier/read-carriers.ts";
import { runCommandLine, saslVariables } from "../../services/platform/command-line.ts";
import { Command } from "commander";
import { asKafkaAdmin, endShareGroups, setKafkaPasswords } from "../local-stack/kafka-admin.ts";
import { KAFKA_ADMIN, kafkaLogin } from "../local-stack/logins.ts";
import { readKafkaUsers } from "../passwords-config.ts";
import { ensureRights } from "../topics/ensure-rights.ts";
import { readKafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { readConfig } from "./config.ts";

/** Lets the services log in to the Kafka of docker-compose.yml, whose administrator logs in by PLAIN, and grants rights. */
async function run(): Promise<void> {
  const { broker, carriersDir, ...options } = readConfig(process.env);
  const users = readKafkaUsers(process.env);
  await asKafkaAdmin(broker, users, async (sender) => {
    await endShareGroups(sender);
    await setKafkaPasswords(sender, users);
  });
  const admin = { ...kafkaLogin(users, KAFKA_ADMIN), mechanism: "PLAIN" } as const;
  const rights = await ensureRights({
    ...options,
    brokers: [`${broker.host}:${broker.port}`],
    security: readKafkaSecurity(saslVariables(admin)),
    providers: providerNamesIn(carriersDir),
  });
  console.log(
    `${Object.keys(users).length} users may log in; ${rights.length} rights are granted.`,
  );
}

await runCommandLine(
  new Command("kafka-access")
    .description("Lets the services log in to the Kafka of docker-compose.yml, and grants rights")
    .action(run),
);
