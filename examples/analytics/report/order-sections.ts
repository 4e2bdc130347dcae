import type { Figures, TimeInStatus } from "../figures.ts";
import { bars, legend } from "./charts.ts";
import { carrierIn, counted, duration, percent, words } from "./format.ts";
import { html, type Html } from "./html.ts";
import { MEDIAN_LEGEND, medianBars } from "./median-bars.ts";
import { empty, section } from "./section.ts";
import { figure, folded, table, text, type TableCell } from "./tables.ts";

/** In the order in which a port goes through them; the customer works in the first and the third. */
export const STATUSES: readonly string[] = [
  "draft",
  "in_review",
  "rejection",
  "submitted",
  "in_process",
  "foc_scheduled",
  "activating",
  "cancel_pending",
];
const SHADES = 5;

export function timeInStatus({ timeInStatus: rows }: Figures): Html {
  const heading = {
    title: "Time in each status",
    about:
      "How long orders were in a status that they have left, all their stays together: half of them were faster than " +
      "the median, 90 % faster than the longer bar.",
  };
  const overall = inOrder(rows.filter(({ losing_carrier }) => losing_carrier === null));
  if (overall.length === 0)
    return section({ ...heading, isWide: true }, empty("order that left a status"));
  const chart = medianBars(
    overall.map(({ status, orders, median_seconds: median, p90_seconds: p90 }) => {
      return { label: words(status), median, p90, of: counted(orders, "order") };
    }),
  );
  const content = html`${MEDIAN_LEGEND}${chart}${carrierTable(rows)}`;
  return section({ ...heading, isWide: true }, content);
}

/** A status that is new here comes last. */
function inOrder(rows: readonly TimeInStatus[]): readonly TimeInStatus[] {
  const places = new Map(STATUSES.map((status, n) => [status, n]));
  const place = ({ status }: TimeInStatus): number => places.get(status) ?? STATUSES.length;
  return rows.toSorted((a, b) => place(a) - place(b));
}

/** Carriers with the most orders first; the slower within a status, the stronger the colour. */
function carrierTable(rows: readonly TimeInStatus[]): Html {
  const byPlace = new Map<string, TimeInStatus[]>();
  for (const row of inOrder(rows)) {
    if (row.losing_carrier === null) continue;
    const place = carrierIn(row.losing_carrier, row.country_code);
    byPlace.set(place, [...(byPlace.get(place) ?? []), row]);
  }
  const most = (of: readonly TimeInStatus[]): number => Math.max(...of.map(({ orders }) => orders));
  const places = [...byPlace].toSorted(([a, one], [b, other]) => {
    return most(other) - most(one) || a.localeCompare(b, "en");
  });
  const all = inOrder(places.flatMap(([, of]) => of));
  const statuses = [...new Set(all.map(({ status }) => status))];
  const timesIn = new Map(
    statuses.map((status) => {
      const times = all.filter((row) => row.status === status).map((row) => row.median_seconds);
      return [
        status,
        { slowest: Math.max(...times), isEven: new Set(times.map(duration)).size === 1 },
      ];
    }),
  );
  const cell = (of: readonly TimeInStatus[], status: string): TableCell => {
    const found = of.find((row) => row.status === status);
    if (found === undefined) return figure("");
    const shown = figure(duration(found.median_seconds));
    const { slowest, isEven } = timesIn.get(status) ?? { slowest: 1, isEven: true };
    return isEven
      ? shown
      : { ...shown, shade: Math.ceil((found.median_seconds / slowest) * SHADES) };
  };
  return table({
    caption:
      "Median by losing carrier and country; the stronger the colour, the slower within a status (none where all are alike)",
    head: [text("Carrier"), figure("Orders"), ...statuses.map((status) => figure(words(status)))],
    rows: places.map(([place, of]) => [
      text(place),
      figure(String(most(of))),
      ...statuses.map((status) => cell(of, status)),
    ]),
  });
}

export function rejections({ rejections: rows }: Figures): Html {
  const heading = {
    title: "Rejections by code",
    about:
      "Why the desk or a carrier rejected or refused an order; a case may have several reasons.",
  };
  const codes = totalsByCode(rows);
  if (codes.length === 0) return section(heading, empty("rejection"));
  const highest = Math.max(...codes.map(({ total }) => total));
  const chart = bars(
    codes.map(({ code, total, desk, other }) => ({
      label: words(code),
      value: String(total),
      segments: [
        { share: desk / highest, tone: "main", title: `${counted(desk, "time")} by the desk` },
        {
          share: other / highest,
          tone: "warning",
          title: `${counted(other, "time")} by a carrier`,
        },
      ],
    })),
  );
  const details = table({
    caption: "Rejections by code",
    head: [text("Code"), text("By"), figure("Rejections"), figure("Orders")],
    rows: rows.map((row) => [
      text(words(row.code)),
      text(words(row.raised_by)),
      figure(String(row.rejections)),
      figure(String(row.orders)),
    ]),
  });
  const key = legend([
    { tone: "main", label: "The desk" },
    { tone: "warning", label: "A carrier" },
  ]);
  return section(heading, html`${key}${chart}${folded("Figures", details)}`);
}

interface CodeTotal {
  readonly code: string;
  readonly total: number;
  readonly desk: number;
  readonly other: number;
}

function totalsByCode(rows: Figures["rejections"]): readonly CodeTotal[] {
  const codes = [...new Set(rows.map(({ code }) => code))];
  const sum = (of: Figures["rejections"]): number =>
    of.reduce((total, one) => total + one.rejections, 0);
  return codes
    .map((code) => {
      const own = rows.filter((row) => row.code === code);
      const desk = sum(own.filter(({ raised_by }) => raised_by === "desk"));
      return { code, total: sum(own), desk, other: sum(own) - desk };
    })
    .toSorted((a, b) => b.total - a.total);
}

export function firstTimeRight({ firstTimeRight: rows }: Figures): Html {
  const heading = {
    title: "First time right",
    about:
      "Orders completed in full without ever being rejected, of those that ended; without those that the customer or " +
      "the desk closed.",
  };
  if (rows.length === 0) return section(heading, empty("ended order"));
  const chart = bars(
    rows.map(({ country_code, ended, first_time_right: right }) => ({
      label: country_code,
      value: percent(right, ended),
      note: `${right} of ${ended}`,
      segments: [{ share: right / ended, tone: "good", title: `${right} of ${ended}` }],
    })),
  );
  return section(heading, chart);
}

export function focKept({ focKept: rows }: Figures): Html {
  const heading = {
    title: "FOC dates kept",
    about:
      "Port dates of completed orders: kept if the carrier never moved the date and the last number was active by the " +
      "end of that day.",
  };
  if (rows.length === 0) return section(heading, empty("completed order"));
  const chart = bars(
    rows.map(({ losing_carrier, country_code, dated, kept, moved, late }) => ({
      label: carrierIn(losing_carrier, country_code),
      value: percent(kept, dated),
      note: `${kept} of ${dated}`,
      segments: [
        { share: kept / dated, tone: "good", title: `${kept} kept` },
        { share: moved / dated, tone: "warning", title: `${moved} moved` },
        { share: late / dated, tone: "bad", title: `${late} late` },
      ],
    })),
  );
  const key = legend([
    { tone: "good", label: "Kept" },
    { tone: "warning", label: "Moved by the carrier" },
    { tone: "bad", label: "Late" },
  ]);
  const details = table({
    caption: "FOC dates by losing carrier and country",
    head: [text("Carrier"), ...["Dated", "Kept", "Moved", "Late"].map(figure)],
    rows: rows.map((row) => [
      text(carrierIn(row.losing_carrier, row.country_code)),
      ...[row.dated, row.kept, row.moved, row.late].map((n) => figure(String(n))),
    ]),
  });
  return section(heading, html`${key}${chart}${folded("Figures", details)}`);
}
