import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parseAllDocuments } from "yaml";
import { projectRoot } from "../project-root.ts";
import { planRights } from "../topics/ensure-rights.ts";
import { kafkaUsers, readConfig, writeKafkaUsers, type KafkaUser } from "./kafka-users.ts";

const options = readConfig({});

/** The rights of a user, one line per operation and resource. */
function linesOf({ metadata, spec }: KafkaUser): string[] {
  return spec.authorization.acls.flatMap(({ resource, operations }) => {
    const place =
      resource.type === "cluster"
        ? ""
        : ` ${resource.patternType} ${resource.type} ${resource.name}`;
    return operations.map((operation) => `${metadata.name}: ${operation}${place}`);
  });
}

const SPELT = {
  read: "Read",
  write: "Write",
  describe: "Describe",
  "idempotent write": "IdempotentWrite",
};

describe("the Kafka users of Strimzi", () => {
  it("have exactly the rights of the plan, and the administrator those of the jobs", () => {
    const planned = planRights(options).map(({ user, operation, resource, name, isPrefix }) => {
      const place =
        resource === "cluster" ? "" : ` ${isPrefix ? "prefix" : "literal"} ${resource} ${name}`;
      return `${user}: ${SPELT[operation]}${place}`;
    });
    const users = kafkaUsers(options);
    const admin = users.filter(({ metadata }) => metadata.name === "admin");
    const others = users.filter(({ metadata }) => metadata.name !== "admin");
    expect(others.flatMap(linesOf).sort()).toEqual(planned.sort());
    expect(admin.flatMap(linesOf)).not.toContainEqual(expect.stringContaining("Write"));
    for (const topics of ["porting.", "carriers."]) {
      const rights = ["Create", "Alter", "Describe", "DescribeConfigs", "Read"];
      const lines = rights.map((right) => `admin: ${right} prefix topic ${topics}`);
      expect(admin.flatMap(linesOf)).toEqual(expect.arrayContaining(lines));
    }
  });

  it("follow the prefix, the retry schedule and the providers", () => {
    const users = kafkaUsers({ prefix: "eu.", retrySchedule: "7m", providers: ["acme"] });
    const lines = users.flatMap(linesOf);
    expect(lines).toContain("webhook-sender: Write literal topic eu.porting.webhook-retry.7m");
    expect(lines).toContain("provider-acme: Read literal group eu.acme-integration-1");
    expect(lines).not.toContainEqual(expect.stringContaining("webhook-retry.1m"));
    expect(lines).not.toContainEqual(expect.stringContaining("provider-us-lsr"));
  });

  it("stand in the example as the command writes them", () => {
    const path = join(projectRoot, "infra", "kubernetes", "examples", "kafka-users.yaml");
    const text = readFileSync(path, "utf8");
    expect(text).toBe(writeKafkaUsers(kafkaUsers(options)));
    const parsed = parseAllDocuments(text).map((document) => document.toJS() as KafkaUser);
    expect(parsed).toEqual(kafkaUsers(options));
  });
});
