import { escapeHtml } from "./site-renderer.ts";

/** A measurement, and what is shown of it where a pointer rests. */
export interface ChartPoint {
  readonly label: string;
  readonly value: number;
}

export interface LineChart {
  readonly title: string;
  readonly unit: string;
  /** Drawn as a dashed line; null for none. */
  readonly bound: number | null;
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
}

const WIDTH = 640;
const HEIGHT = 140;
const LEFT = 64;
const EDGE = 12;
/** Room above the highest value, as a share of it. */
const HEADROOM = 1.1;
const DOT = 3;

const LINE = /^(\S.*?) (-?[\d.]+(?:e[+-]?\d+)?)$/;

/** Reads a block of `line-chart`: a line for each point, its label and then its value. @throws for a line without */
export function readPoints(text: string): ChartPoint[] {
  return text.split("\n").map((line) => {
    const [, label, value] = LINE.exec(line) ?? [];
    if (label === undefined) throw new Error(`A chart has no point in: ${line}`);
    return { label, value: Number(value) };
  });
}

const text = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 3 });

/** An SVG in the page's colours, which says in words what it shows. */
export function drawLineChart({ title, unit, bound, points }: LineChart): string {
  const values = points.map(({ value }) => value);
  const top = Math.max(...values, bound ?? 0) * HEADROOM || 1;
  const step = points.length > 1 ? (WIDTH - LEFT - EDGE) / (points.length - 1) : 0;
  const x = (n: number): string => (LEFT + n * step).toFixed(1);
  const y = (value: number): string =>
    (HEIGHT - EDGE - (value / top) * (HEIGHT - 2 * EDGE)).toFixed(1);
  const path = values.map((value, n) => `${x(n)},${y(value)}`).join(" ");
  const dots = points.map(
    ({ label, value }, n) =>
      `<circle cx="${x(n)}" cy="${y(value)}" r="${DOT}"><title>${escapeHtml(`${label}: ${text(value)} ${unit}`)}</title></circle>`,
  );
  const axis = (value: number, name: string): string =>
    `<text x="${LEFT - 2 * DOT}" y="${y(value)}" class="${name}">${text(value)}</text>`;
  const limit =
    bound === null
      ? ""
      : `<line x1="${LEFT}" x2="${WIDTH - EDGE}" y1="${y(bound)}" y2="${y(bound)}" class="bound" />${axis(bound, "bound")}`;
  const first = text(values[0] ?? 0);
  const last = text(values.at(-1) ?? 0);
  const words = `${title}: ${first} ${unit} at first, ${last} ${unit} at last, in ${points.length} measurements`;
  return (
    `<figure class="chart"><figcaption>${escapeHtml(title)} <span>${last} ${escapeHtml(unit)}</span></figcaption>` +
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(words)}">` +
    `<line x1="${LEFT}" x2="${WIDTH - EDGE}" y1="${y(0)}" y2="${y(0)}" class="axis" />${axis(0, "axis")}` +
    `${limit}<polyline points="${path}" />${dots.join("")}</svg></figure>\n`
  );
}
