import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { projectRoot } from "../project-root.ts";
import { readRules } from "./alert-files.ts";
import { registeredMetrics, seriesIn, seriesOf } from "./registered-metrics.ts";

const ANY_DATASOURCE = { type: "prometheus", uid: "${datasource}" };

const panelShape = z.object({
  id: z.int(),
  type: z.enum(["row", "stat", "timeseries"]),
  title: z.string().min(1),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int().min(1), h: z.int().min(1) }),
  datasource: z.unknown().optional(),
  targets: z
    .array(z.object({ refId: z.string(), expr: z.string(), datasource: z.unknown() }))
    .default([]),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }) }).optional(),
});
const dashboardShape = z.object({
  uid: z.string(),
  title: z.string(),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), type: z.string(), query: z.unknown() })),
  }),
  panels: z.array(panelShape),
});

const folder = join(projectRoot, "infra/monitoring/dashboards");
const files = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), "utf8"),
}));
const dashboards = files.map(({ name, text }) => ({
  name,
  ...dashboardShape.parse(JSON.parse(text)),
}));
const chartsOf = (panels: readonly z.output<typeof panelShape>[]) =>
  panels.filter(({ type }) => type !== "row");

describe("the dashboards' files", () => {
  it("have different ids and titles", () => {
    for (const key of ["uid", "title"] as const) {
      const values = dashboards.map((dashboard) => dashboard[key]);
      expect(values).toEqual([...new Set(values)]);
    }
    expect(dashboards.length).toBe(5);
  });
});

describe.each(dashboards)("the dashboard $name", ({ panels, templating }) => {
  it("has panels with ids of their own that do not cover each other", () => {
    const ids = panels.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(cells).toHaveLength(new Set(cells).size);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it("has a unit and queries in every panel, of the data source that its reader chooses", () => {
    expect(templating.list[0]).toMatchObject({ name: "datasource", type: "datasource" });
    for (const panel of chartsOf(panels)) {
      expect([panel.title, panel.fieldConfig?.defaults.unit]).toEqual([
        panel.title,
        expect.any(String),
      ]);
      expect([panel.datasource, ...panel.targets.map(({ datasource }) => datasource)]).toEqual(
        Array(panel.targets.length + 1).fill(ANY_DATASOURCE),
      );
      expect(panel.targets.length).toBeGreaterThan(0);
      const refs = panel.targets.map(({ refId }) => refId);
      expect(refs).toEqual([...new Set(refs)]);
    }
  });

  it("reads series that the services have, or that a rule records", async () => {
    const metrics = [...(await registeredMetrics())].flatMap(([name, kind]) =>
      seriesOf(name, kind),
    );
    const known = new Set([...metrics, ...readRules().records.map(({ record }) => record)]);
    const queries = chartsOf(panels).flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const unknown = queries.flatMap((expr) => seriesIn(expr).filter((one) => !known.has(one)));
    expect(unknown).toEqual([]);
  });

  it("uses each variable that it has, and no other", () => {
    const used = new Set(
      chartsOf(panels)
        .flatMap(({ targets }) => targets.map(({ expr }) => expr))
        .flatMap((expr) => [...expr.matchAll(/\$([a-z_]{2,})/g)].map(([, name = ""]) => name))
        .filter((name) => !name.startsWith("__")),
    );
    const given = templating.list.map(({ name }) => name).filter((name) => name !== "datasource");
    expect([...used]).toEqual(given);
  });
});
