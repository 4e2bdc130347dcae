import { Command } from "commander";
import { runCommandLine } from "../../services/platform/command-line.ts";
import { kafkaUsers, readConfig, writeKafkaUsers } from "./kafka-users.ts";

await runCommandLine(
  new Command("kafka-users")
    .description("Prints a KafkaUser of Strimzi for each service and provider, with its rights")
    .action(() => {
      process.stdout.write(writeKafkaUsers(kafkaUsers(readConfig(process.env))));
    }),
);
