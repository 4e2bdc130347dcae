import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { HealthPoint } from "../../../desk/health/answers.ts";
import { useTheme } from "../../ui/theme.ts";
import styles from "./health.module.css";

const HEIGHT = 72;
const AXIS_SIZE = 34;

interface HourChartProps {
  /** Read out in place of the picture. */
  readonly label: string;
  readonly points: readonly HealthPoint[];
}

/** A measure's last hour, a sample a minute. */
export function HourChart({ label, points }: HourChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [theme] = useTheme();
  useEffect(() => {
    const { current: element } = frame;
    if (element === null || points.length === 0) return;
    const chart = new uPlot(optionsFor(element), dataOf(points), element);
    const resized = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [points, theme]);
  if (points.length === 0) return null;
  const last = points.at(-1)?.value ?? 0;
  const most = Math.max(...points.map(({ value }) => value));
  return (
    <div
      ref={frame}
      role="img"
      aria-label={`${label}: now ${last}, at most ${most}`}
      className={styles["chart"]}
    />
  );
}

function dataOf(points: readonly HealthPoint[]): uPlot.AlignedData {
  return [points.map(({ at }) => Date.parse(at) / 1_000), points.map(({ value }) => value)];
}

function optionsFor(element: HTMLElement): uPlot.Options {
  const line = colourOf(element, "--accent-text");
  const text = colourOf(element, "--text-muted");
  const axis = { stroke: text, ticks: { show: false }, font: "11px system-ui" } as const;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_chart, _least, most) => [0, Math.max(1, most)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 18, space: 80 },
      {
        ...axis,
        grid: { stroke: colourOf(element, "--line"), width: 1 },
        size: AXIS_SIZE,
        space: 26,
      },
    ],
    series: [{}, { stroke: line, width: 1.5, points: { show: false } }],
  };
}

/** A colour of the page as a canvas takes it: computed, because a canvas does not know `light-dark()`. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
