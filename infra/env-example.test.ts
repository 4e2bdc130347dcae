import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { interpolatedNames } from "../test/support/programs/compose-file.ts";
import { readStartConfig } from "./start/config.ts";
import { projectRoot } from "./project-root.ts";
import { readConfig as readTopicsConfig } from "./topics/config.ts";

/** Set by the system, not by .env. */
const SYSTEM = ["PATH"];

function sources(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => join(folder, path));
}

function namesIn(path: string): string[] {
  const text = readFileSync(join(projectRoot, path), "utf8");
  const direct = [...text.matchAll(/\benv\["([A-Z][A-Z0-9_]{2,})"\]/g)];
  const isConfig = /(^|[/-])config\.ts$/.test(path) && !path.endsWith("platform/config.ts");
  const keys = isConfig ? [...text.matchAll(/\b([A-Z][A-Z0-9_]{2,}):/g)] : [];
  return [...direct, ...keys].map((match) => match[1] ?? "");
}

const read = new Set([
  ...[...sources("services"), ...sources("infra")].flatMap(namesIn),
  ...interpolatedNames(),
]);
const example = readFileSync(join(projectRoot, ".env.example"), "utf8").split("\n");
const listed = example.flatMap((line) => /^([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);

describe(".env.example", () => {
  it("lists exactly the variables that are read, each once", () => {
    for (const name of SYSTEM) read.delete(name);
    expect(listed.toSorted()).toEqual([...read].sort());
  });

  it("describes each in one line above it", () => {
    const bare = example.filter((line, index) => {
      const above = example[index - 1] ?? "";
      return /^[A-Z]/.test(line) && !/^# \S.*[.]$/.test(above);
    });
    expect(bare).toEqual([]);
  });

  it("gives the defaults", () => {
    const values = Object.fromEntries(
      example.flatMap((line) => {
        const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
    );
    expect(readStartConfig(values)).toEqual(readStartConfig({}));
    const stack = { KAFKA_BROKERS: "kafka:9092", SCHEMA_REGISTRY_URL: "http://registry:8081" };
    expect(readTopicsConfig({ ...values, ...stack })).toEqual(readTopicsConfig(stack));
  });
});
