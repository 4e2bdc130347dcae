import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { textOf } from "../../test/support/kubernetes/chart-files.ts";
import { projectRoot } from "../project-root.ts";

const services = join(projectRoot, "services");
const sources = readdirSync(services, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => readFileSync(join(services, path), "utf8"))
  .join("\n");

describe("the chart's alerts", () => {
  it("are on metrics and labels that the services have", () => {
    const rules = textOf("chart", "files", "alerts.yaml");
    const metrics = [...rules.matchAll(/\b(\w+)\{namespace=/g)].map(([, name = ""]) => name);
    expect(metrics.length).toBeGreaterThan(5);
    for (const name of metrics) expect(sources).toContain(`name: "${name}"`);
    const labels = [...rules.matchAll(/ by \(([\w, ]+)\)/g)].flatMap(([, list = ""]) =>
      list.split(", "),
    );
    // service is on every metric.
    const own = new Set(labels.filter((label) => label !== "service"));
    for (const label of own) expect(sources).toMatch(new RegExp(`labels: \\[[^\\]]*"${label}"`));
  });
});
