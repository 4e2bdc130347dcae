import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { z } from "zod";
import { programs, textOf } from "../../test/support/kubernetes/chart-files.ts";
import { example } from "../../test/support/programs/service-variables.ts";
import { DEFAULT_PARTITIONS } from "../../services/messages/topics.ts";
import { projectRoot } from "../project-root.ts";

type Tree = Readonly<Record<string, unknown>>;

const schemaShape = z.looseObject({
  properties: z.looseObject({
    settings: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
  }),
});
const schema: unknown = JSON.parse(textOf("chart", "values.schema.json"));
const isValid = new Ajv({ allErrors: true, strictTypes: false, allowUnionTypes: true }).compile(
  schema as object,
);
const values = parse(textOf("chart", "values.yaml")) as Tree;

function faultsOf(candidate: unknown): string[] {
  return isValid(candidate) ? [] : (isValid.errors ?? []).map(({ instancePath }) => instancePath);
}

/** The chart's values with one of them replaced, by its path. */
function withValue(path: string, value: unknown): Tree {
  const copy = structuredClone(values) as Record<string, unknown>;
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  let place = copy;
  for (const step of steps) place = place[step] as Record<string, unknown>;
  place[last] = value;
  return copy;
}

describe("the values' schema", () => {
  it("accepts the chart's own values and those of the examples", () => {
    expect(faultsOf(values)).toEqual([]);
    for (const name of ["values-production.yaml", "values-evaluation.yaml"]) {
      expect([name, faultsOf(parse(textOf("examples", name)))]).toEqual([name, []]);
    }
  });

  it("offers exactly the settings that services and jobs read, once each", () => {
    const all = [...Object.values(programs.services), ...Object.values(programs.jobs)];
    const read = new Set([
      ...all.flatMap(({ settings }) => settings),
      ...(programs.groups["consumer"] ?? []),
      ...(programs.groups["tracing"] ?? []),
    ]);
    const offered = Object.keys(schemaShape.parse(schema).properties.settings.properties);
    expect(offered.sort()).toEqual([...read].sort());
  });

  it("accepts the default of every setting", () => {
    const { properties } = schemaShape.parse(schema).properties.settings;
    for (const name of Object.keys(properties)) {
      expect([name, faultsOf(withValue(`settings.${name}`, example[name]))]).toEqual([name, []]);
    }
  });

  it.each([
    ["settings.REVIEW_DUE", "8 hours"],
    ["settings.RATE_LIMIT_PER_MINUTE", -1],
    ["settings.WEBHOOK_RETRY_SCHEDULE", "1m;5m"],
    ["services.api.replicas", 0],
    ["services.api.logLevel", "verbose"],
    ["kafka.brokers", ["kafka"]],
    ["kafka.topics.partitions", "six"],
    ["image.digest", "latest"],
    ["secretsKey.secret", ""],
    ["exposure.type", "loadbalancer"],
    ["documents.volume.accessMode", "ReadWriteOncePod"],
    ["networkPolicy.from", [{ podselector: {} }]],
  ])("refuses a wrong %s", (path, value) => {
    const place = `/${path.replaceAll(".", "/")}`;
    expect(faultsOf(withValue(path, value)).filter((fault) => fault.startsWith(place))).not.toEqual(
      [],
    );
  });

  it.each(["settings.RATE_LIMIT", "services.webhooks", "secretKey", "kafka.password"])(
    "refuses the unknown %s",
    (path) => {
      expect(faultsOf(withValue(path, "any"))).not.toEqual([]);
    },
  );
});

describe("the chart", () => {
  it("has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as Tree;
    expect(parse(textOf("chart", "Chart.yaml"))).toMatchObject({ version, appVersion: version });
  });

  it("creates topics with the partitions of every other installation", () => {
    expect(values).toMatchObject({ kafka: { topics: { partitions: DEFAULT_PARTITIONS } } });
  });

  it("has no values of secrets", () => {
    const secret = /^\s*[\w-]*(password|token|secretkey):\s*["']?[\w-]/im;
    const texts = ["values-production.yaml", "values-evaluation.yaml"].map((name) =>
      textOf("examples", name),
    );
    for (const text of [textOf("chart", "values.yaml"), ...texts]) {
      expect(text.match(secret)).toBeNull();
    }
  });
});
