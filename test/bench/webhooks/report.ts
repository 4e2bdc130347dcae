import { PEER_NAMES, ROWS, verdictOf, type Results, type Row } from "./report-rows.ts";

const HEAD = ["Figure", "ours", "accept", "goal", ...PEER_NAMES, "undici alone"];

function round(value: number | undefined): string {
  if (value === undefined) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value >= 10 ? value.toFixed(1) : value.toFixed(value < 1 ? 3 : 2);
}

function withUnit(value: number | undefined, unit: string): string {
  return value === undefined
    ? "–"
    : `${round(value)}${unit.startsWith("/") ? "" : " "}${unit}`.trim();
}

function cellsOf(row: Row, results: Results): string[] {
  const { systems, floors } = results;
  const verdict = verdictOf(row, results);
  const bounds = ["accept", "goal"] as const;
  return [
    row.name,
    withUnit(row.of(systems.get("ours") ?? {}), row.unit),
    ...bounds.map((bound) => {
      if (row.target === null) return "";
      const sign = row.target.better === "more" ? "≥" : "≤";
      const ahead = bound === "goal" && row.target.aheadOfPeers === true ? ", ahead of peers" : "";
      const isMet = verdict?.[bound] ?? null;
      const met = isMet === null ? "" : isMet ? ": met" : ": MISSED";
      return `${sign} ${row.target[bound].toLocaleString("en")}${ahead}${met}`;
    }),
    ...PEER_NAMES.map((name) => round(row.of(systems.get(name) ?? {}))),
    floors === null || row.floor === undefined ? "" : round(row.floor(floors)),
  ];
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  return [head, head.map(() => "---"), ...rest]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** The figures with their bounds and those of the peers. */
export function figuresTable(results: Results): string {
  return tableOf([HEAD, ...ROWS.map((row) => cellsOf(row, results))]);
}

/** CPU by system and process, highest first. */
export function cpuTable({ systems }: Results): string {
  const head = [
    "Process",
    "10 endpoints, ms per delivery",
    "1 endpoint, ms per delivery",
    "idle, %",
  ];
  const rows = [...systems].flatMap(([system, measured]) => {
    const ten = measured["burst-10"]?.cpuMsByProcess;
    const one = measured["burst-1"]?.cpuMsByProcess;
    const idle = measured.idle?.percentByProcess;
    const names = [...(ten ?? one ?? idle ?? new Map<string, number>()).keys()];
    const weight = (name: string): number =>
      ten?.get(name) ?? one?.get(name) ?? idle?.get(name) ?? 0;
    return names
      .toSorted((a, b) => weight(b) - weight(a))
      .map((name) => [
        `${system}: ${name}`,
        round(ten?.get(name)),
        round(one?.get(name)),
        round(idle?.get(name)),
      ]);
  });
  return tableOf([head, ...rows]);
}
