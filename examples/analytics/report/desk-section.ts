import type { DeskThroughput, Figures } from "../figures.ts";
import { columns, legend, type Slot } from "./charts.ts";
import { counted, step } from "./format.ts";
import { html, type Html } from "./html.ts";
import { medianBars } from "./median-bars.ts";
import { empty, section } from "./section.ts";
import { figure, folded, table, text } from "./tables.ts";
import { everyStep, type Unit } from "./time-buckets.ts";

export function desk({ deskUnit, deskThroughput, deskWaits }: Figures): Html {
  const heading = {
    title: "Desk throughput",
    about:
      `Cases that came to the desk and that it decided, by ${deskUnit} (UTC), and how long a case was there: half of ` +
      "them shorter than the median, 90 % shorter than the longer bar.",
    isWide: true,
  };
  const first = deskThroughput.at(0);
  const last = deskThroughput.at(-1);
  if (first === undefined || last === undefined) return section(heading, empty("case"));
  const known = new Map(deskThroughput.map((row) => [row.starts_at.getTime(), row]));
  const steps = everyStep(first.starts_at, last.starts_at, deskUnit);
  const slots = steps.map((at) => {
    const none = { starts_at: at, opened: 0, confirmed: 0, rejected: 0 };
    return slotOf(known.get(at.getTime()) ?? none, deskUnit);
  });
  const about = `Cases opened, confirmed and rejected by ${deskUnit}; the figures are below`;
  const key = legend([
    { tone: "quiet", label: "Opened" },
    { tone: "main", label: "Confirmed" },
    { tone: "warning", label: "Rejected" },
  ]);
  const chart = columns(slots, axisOf(steps, deskUnit), about);
  const content = html`${key}${chart}${waits(deskWaits)}${figuresOf(deskThroughput, deskUnit)}`;
  return section(heading, content);
}

function slotOf({ starts_at, opened, confirmed, rejected }: DeskThroughput, unit: Unit): Slot {
  return {
    title: `${step(starts_at, unit)}: ${opened} opened, ${confirmed} confirmed, ${rejected} rejected`,
    came: opened,
    done: [
      { value: confirmed, tone: "main" },
      { value: rejected, tone: "warning" },
    ],
  };
}

/** The first, the middle and the last step, as far as there are so many. */
function axisOf(steps: readonly Date[], unit: Unit): string[] {
  const last = steps.length - 1;
  const places = last < 2 ? [...steps.keys()] : [0, Math.floor(last / 2), last];
  return places.flatMap((place) => steps.slice(place, place + 1)).map((at) => step(at, unit));
}

function waits(rows: Figures["deskWaits"]): Html {
  const chart = medianBars(
    rows.map(({ country_code: label, cases, median_seconds: median, p90_seconds: p90 }) => {
      return { label, median, p90, of: counted(cases, "case") };
    }),
  );
  return html`<h3>Time at the desk by country</h3>
    ${chart}`;
}

function figuresOf(rows: readonly DeskThroughput[], unit: Unit): Html {
  const content = table({
    caption: `Cases by ${unit}`,
    head: [text("From"), ...["Opened", "Confirmed", "Rejected"].map(figure)],
    rows: rows.map(({ starts_at, opened, confirmed, rejected }) => [
      text(step(starts_at, unit)),
      ...[opened, confirmed, rejected].map((n) => figure(String(n))),
    ]),
  });
  return folded("Figures", content);
}
