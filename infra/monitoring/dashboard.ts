/** Grafana's names of the units that panels show. */
export type Unit = "short" | "s" | "ops" | "reqps" | "bytes" | "percentunit";

export interface Query {
  /** PromQL. */
  readonly expr: string;
  /** Grafana's template of a line's name: `{{topic}}`. */
  readonly legend: string;
  /** Shows the exemplars of the histogram: points that lead to a trace. */
  readonly exemplars?: true;
}

export interface Panel {
  readonly title: string;
  /** What the title does not say. */
  readonly description?: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Default: lines over time. */
  readonly kind?: "stat";
  /** Values from which a warning and a critical alert fire, where they do. */
  readonly thresholds?: readonly [warning: number, critical?: number];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  /** Grafana's id of it, which stays the same when it is imported again; also the file's name. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Metrics whose label `service` the reader chooses from; no choice without it. */
  readonly servicesOf?: string;
  readonly rows: readonly Row[];
}

const COLUMNS = 24;
const STATS_A_LINE = 6;
const CHARTS_A_LINE = 3;
const [STAT_HEIGHT, CHART_HEIGHT] = [4, 8];
const DATASOURCE = { type: "prometheus", uid: "${datasource}" } as const;

interface Place {
  readonly id: number;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
}

/** The dashboard as Grafana imports it, for any Prometheus data source that its reader chooses. */
export function grafanaDashboard({ uid, title, description, servicesOf, rows }: Dashboard): object {
  return {
    uid,
    title,
    description,
    tags: ["number-porting"],
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    timezone: "browser",
    templating: {
      list: [
        datasourceVariable(),
        ...(servicesOf === undefined ? [] : [serviceVariable(servicesOf)]),
      ],
    },
    panels: panelsOf(rows),
  };
}

function datasourceVariable(): object {
  return { type: "datasource", name: "datasource", label: "Data source", query: "prometheus" };
}

function serviceVariable(metric: string): object {
  const query = `label_values(${metric}, service)`;
  return {
    type: "query",
    name: "service",
    label: "Service",
    datasource: DATASOURCE,
    definition: query,
    query: { query, refId: "services" },
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    current: { text: ["All"], value: ["$__all"] },
  };
}

function panelsOf(rows: readonly Row[]): object[] {
  let [id, top] = [0, 0];
  return rows.flatMap((row) => {
    id += 1;
    const title = {
      id,
      type: "row",
      title: row.title,
      gridPos: { x: 0, y: top, w: COLUMNS, h: 1 },
    };
    top += 1;
    const lines = linesOf(row.panels);
    const panels = lines.flatMap((line) => {
      const h = line[0]?.kind === "stat" ? STAT_HEIGHT : CHART_HEIGHT;
      const columnOf = (n: number): number => Math.floor((n * COLUMNS) / line.length);
      const placed = line.map((panel, n) => {
        id += 1;
        const x = columnOf(n);
        return panelOf(panel, { id, gridPos: { x, y: top, w: columnOf(n + 1) - x, h } });
      });
      top += h;
      return placed;
    });
    return [{ ...title, collapsed: false, panels: [] }, ...panels];
  });
}

/** Panels side by side; figures stand above the charts. */
function linesOf(panels: readonly Panel[]): Panel[][] {
  const [stats, charts] = [
    panels.filter(({ kind }) => kind === "stat"),
    panels.filter(({ kind }) => kind === undefined),
  ];
  return [...inLines(stats, STATS_A_LINE), ...inLines(charts, CHARTS_A_LINE)];
}

function inLines(panels: readonly Panel[], most: number): Panel[][] {
  const lines = Math.ceil(panels.length / most);
  const each = Math.ceil(panels.length / lines);
  return Array.from({ length: lines }, (_, n) => panels.slice(n * each, (n + 1) * each));
}

function panelOf(panel: Panel, place: Place): object {
  const { title, description, unit, queries, kind, thresholds } = panel;
  return {
    ...place,
    type: kind ?? "timeseries",
    title,
    ...(description === undefined ? {} : { description }),
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend, exemplars }, n) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + n),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
      ...(kind === "stat" ? { instant: true } : {}),
      ...(exemplars === undefined ? {} : { exemplar: true }),
    })),
    fieldConfig: { defaults: { unit, ...limitsOf(panel) }, overrides: [] },
    options:
      kind === "stat"
        ? {
            colorMode: thresholds === undefined ? "none" : "value",
            reduceOptions: { calcs: ["lastNotNull"] },
          }
        : {
            legend: { displayMode: "list", placement: "bottom", showLegend: true },
            tooltip: { mode: "multi", sort: "desc" },
          },
  };
}

function limitsOf({ kind, thresholds }: Panel): object {
  const custom = { fillOpacity: 8, showPoints: "never", thresholdsStyle: { mode: "line" } };
  if (thresholds === undefined)
    return kind === "stat"
      ? {}
      : { min: 0, custom: { ...custom, thresholdsStyle: { mode: "off" } } };
  const [warning, critical] = thresholds;
  const steps = [
    { color: "green", value: null },
    { color: "orange", value: warning },
    ...(critical === undefined ? [] : [{ color: "red", value: critical }]),
  ];
  return {
    thresholds: { mode: "absolute", steps },
    ...(kind === "stat" ? {} : { min: 0, custom }),
  };
}
