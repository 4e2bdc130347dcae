import { Command } from "commander";
import { runCommandLine } from "../../services/platform/command-line.ts";
import { readConfig } from "./config.ts";
import { kafkaUsers } from "./strimzi-users.ts";
import { writeKafkaUsers } from "./write-strimzi-users.ts";

await runCommandLine(
  new Command("kafka-users")
    .description("Prints a KafkaUser of Strimzi for each service and provider, with its rights")
    .action(() => {
      process.stdout.write(writeKafkaUsers(kafkaUsers(readConfig(process.env))));
    }),
);
