import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../../../infra/project-root.ts";
import { stripDefinition } from "./strip-definition.ts";

/**
 * Writes schemas.json of CustomResourceDefinitions, each with the operator's name and version before it:
 * `node infra/run.mjs test/kubernetes/custom-resources/main.ts "Strimzi 1.2.0" kafka.yaml user.yaml "KEDA 2.21.0" …`.
 */
const kinds: Record<string, { source: string; schema: unknown }> = {};
let source = "";
for (const argument of process.argv.slice(2)) {
  if (!argument.endsWith(".yaml")) {
    source = argument;
    continue;
  }
  const { kind, schema } = stripDefinition(parse(readFileSync(argument, "utf8")));
  kinds[kind] = { source, schema };
}
const lines = Object.entries(kinds).map(
  ([kind, value]) => `${JSON.stringify(kind)}:${JSON.stringify(value)}`,
);
const path = join(projectRoot, "test", "kubernetes", "custom-resources", "schemas.json");
writeFileSync(path, `{\n${lines.join(",\n")}\n}\n`);
