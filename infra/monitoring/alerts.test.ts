import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { z } from "zod";
import { HEALTH_THRESHOLDS } from "../../services/desk/health/rules/health-thresholds.ts";
import { anchorsOf } from "../docs-site/headings.ts";
import { projectRoot } from "../project-root.ts";
import { SERVICE_NAMES } from "../start/supervisor/service-table.ts";
import { alertFiles, ALERTS, readExpectations, readRules, type Alert } from "./alert-files.ts";
import { registeredMetrics, seriesIn, seriesOf, sourcesOfServices } from "./registered-metrics.ts";

const { alerts, records } = readRules();
const expectations = readExpectations();
const named = alerts.map((rule) => ({ name: `${rule.alert}, ${rule.labels.severity}`, rule }));
const names = [...new Set(alerts.map(({ alert }) => alert))];
const read = (name: string): string => readFileSync(join(projectRoot, name), "utf8");
const runbooks = read("docs/runbooks.md");

const withName = (name: string): Alert[] => alerts.filter(({ alert }) => alert === name);

describe("the alerts", () => {
  it.each(named)("have a runbook: $name", ({ rule }) => {
    const anchor = rule.alert.toLowerCase();
    const url = `{{ $externalLabels.docs_url }}/runbooks#${anchor}`;
    expect(rule.annotations.runbook_url).toBe(url);
    expect(anchorsOf(runbooks)).toContain(anchor);
  });

  it.each(named)("are tested with series that make them fire, and others: $name", ({ rule }) => {
    const { severity } = rule.labels;
    const fires = expectations
      .filter(({ alert }) => alert === rule.alert)
      .map(({ severities }) => severities.includes(severity));
    expect(fires).toEqual(expect.arrayContaining([true, false]));
  });

  it("are each tested beside their rules", () => {
    const ofRules = alertFiles(".rules.yml").map((name) => name.replace(".rules.", ".test."));
    expect(alertFiles(".test.yml")).toEqual(ofRules);
    expect(ofRules.length).toBeGreaterThan(3);
  });

  it("read series that the services have, or that a rule records", async () => {
    const metrics = [...(await registeredMetrics())].flatMap(([name, kind]) =>
      seriesOf(name, kind),
    );
    const known = new Set(["up", ...metrics, ...records.map(({ record }) => record)]);
    const unknown = [...alerts, ...records].flatMap(({ expr }) =>
      seriesIn(expr).filter((series) => !known.has(series)),
    );
    expect(unknown).toEqual([]);
  });
});

describe("the runbooks", () => {
  const sections = runbooks.split(/^### /m).slice(1);

  it("are those of the alerts, in any order", () => {
    const titles = sections.map((section) => section.split("\n", 1)[0] ?? "");
    expect(titles.toSorted()).toEqual(names.toSorted());
  });

  it.each(sections.map((text) => ({ title: text.split("\n", 1)[0], text })))(
    "say what it means, who feels it, where to look, what to do and when to escalate: $title",
    ({ text }) => {
      const parts = [...text.matchAll(/^\*\*(.+?)\.\*\* \S/gm)].map(([, part]) => part);
      expect(parts).toEqual(["Meaning", "Impact", "Look at", "Do", "Escalate"]);
    },
  );
});

describe("what the runbooks quote", () => {
  const COMMAND =
    /^(npm|docker|helm|kubectl|kafka-configs.sh|kill|ls|ss|ulimit|vacuum|idle|GET|POST) /;
  // A block of commands quotes no log.
  const prose = runbooks.replaceAll(/^```[^]*?^```$/gm, "");
  const quoted = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = ""]) =>
    text.replaceAll(/\s+/g, " "),
  );

  it("from the logs is what the services write", () => {
    const lines = quoted.filter((text) => text.includes(" ") && !COMMAND.test(text));
    expect(lines.length).toBeGreaterThan(10);
    const sources = sourcesOfServices().map((path) => readFileSync(path, "utf8"));
    const unwritten = lines.filter((line) => !sources.some((source) => source.includes(line)));
    expect(unwritten).toEqual([]);
  });

  it("of metrics is what the services have", async () => {
    const metrics = quoted.filter((text) => /^[a-z]+(_[a-z]+)+_(total|seconds|bytes)$/.test(text));
    const known = await registeredMetrics();
    expect(metrics.filter((name) => !known.has(name))).toEqual([]);
    expect(metrics.length).toBeGreaterThan(3);
  });

  it("of npm's scripts is what the package has", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read("package.json")));
    const named = quoted.flatMap((text) => /^npm run ([\w:]+)/.exec(text)?.[1] ?? []);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(named.length).toBeGreaterThan(1);
  });
});

describe("a threshold of an alert", () => {
  it.each([
    ["ConsumerGroupBehind", HEALTH_THRESHOLDS.consumer_lag],
    ["OutboxFilling", HEALTH_THRESHOLDS.outbox_depth],
    ["OutboxNotSent", HEALTH_THRESHOLDS.outbox_age],
    ["OutboxLogKept", HEALTH_THRESHOLDS.outbox_log],
    ["WebhookRetryTimersMany", HEALTH_THRESHOLDS.retry_depth],
    ["ProviderSilent", HEALTH_THRESHOLDS.provider_silence],
  ])("is that of the desk's health page: %s", (name, { slow, stuck }) => {
    const limits = withName(name).map(({ labels, expr }) => [
      labels.severity,
      Number(/>= (\d+)$/.exec(expr)?.[1]),
    ]);
    expect(limits).toEqual([
      ["warning", slow],
      ["critical", stuck],
    ]);
  });

  it("is that of a stuck delivery for an undelivered webhook, which is never more than a warning", () => {
    const [rule, ...others] = withName("WebhookUndelivered");
    expect([rule?.labels.severity, others]).toEqual(["warning", []]);
    expect(rule?.expr).toMatch(new RegExp(`>= ${HEALTH_THRESHOLDS.delivery_age.stuck}$`));
  });
});

describe("Prometheus's configuration", () => {
  const scrape = z.object({
    job_name: z.string(),
    dns_sd_configs: z.tuple([
      z.looseObject({ type: z.literal("A"), port: z.literal(3002), names: z.array(z.string()) }),
    ]),
  });
  const shape = z.looseObject({
    rule_files: z.array(z.string()),
    scrape_configs: z.array(scrape),
    global: z.looseObject({ external_labels: z.object({ docs_url: z.string() }) }),
  });
  const config = shape.parse(parse(read("infra/monitoring/prometheus.yml")));

  it("reads the rules and scrapes each copy of each service of the containers", () => {
    expect(config.rule_files).toEqual([`${ALERTS.split("/").at(-1)}/*.rules.yml`]);
    const [job, ...others] = config.scrape_configs;
    expect([job?.job_name, others]).toEqual(["porting", []]);
    expect(job?.dns_sd_configs[0].names.toSorted()).toEqual([...SERVICE_NAMES].toSorted());
  });

  it("has every service among those whose absence is an alert", () => {
    const [{ expr } = { expr: "" }] = withName("ServiceDown");
    const watched = [...expr.matchAll(/absent\([^)]*service="([a-z-]+)"/g)].map(
      ([, service]) => service,
    );
    expect(watched.toSorted()).toEqual([...SERVICE_NAMES].toSorted());
  });
});
