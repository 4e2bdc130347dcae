import type { Figures, PortOuts, Webhooks } from "../figures.ts";
import { bars, legend, type Tone } from "./charts.ts";
import { counted, duration, NONE, percent, words } from "./format.ts";
import { html, type Html } from "./html.ts";
import { empty, section } from "./section.ts";
import { figure, folded, table, text } from "./tables.ts";

const OUTCOME_TONES: Readonly<Record<string, Tone>> = {
  approved: "main",
  rejected: "warning",
  expired: "bad",
};

function outcomeOf({ outcome, decided_by, rejection_code: code }: PortOuts): string {
  const by =
    decided_by === "nobody" ? "" : ` by ${decided_by === "system" ? "the checks" : decided_by}`;
  return `${words(outcome)}${by}${code === null ? "" : `: ${words(code)}`}`;
}

export function portOuts({ portOuts: rows }: Figures): Html {
  const heading = {
    title: "Port-out decisions",
    about:
      "What became of the requests of other carriers, who decided, and how long that took on average.",
  };
  if (rows.length === 0) return section(heading, empty("port-out"));
  const highest = Math.max(...rows.map(({ port_outs }) => port_outs));
  const chart = bars(
    rows.map((row) => ({
      label: outcomeOf(row),
      value: String(row.port_outs),
      ...(row.mean_seconds === null ? {} : { note: `in ${duration(row.mean_seconds)}` }),
      segments: [
        {
          share: row.port_outs / highest,
          tone: OUTCOME_TONES[row.outcome] ?? "quiet",
          title: counted(row.port_outs, "port-out"),
        },
      ],
    })),
  );
  const key = legend([
    { tone: "main", label: "Approved" },
    { tone: "warning", label: "Rejected" },
    { tone: "bad", label: "Expired" },
    { tone: "quiet", label: "Not decided" },
  ]);
  return section(heading, html`${key}${chart}`);
}

/** Receivers beyond these are in the table alone. */
const MOST_RECEIVERS = 12;

export function webhooks({ webhooks: rows }: Figures): Html {
  const heading = {
    title: "Webhook health",
    about:
      "Deliveries that succeeded, still wait for an attempt or failed for good, by receiver, the worst first; without those " +
      "that a paused or deleted endpoint was not to get. A share is one of all of them, the waiting ones included.",
    isWide: true,
  };
  if (rows === null)
    return section(heading, html`<p class="empty">Not read: DATABASE_URL is not set.</p>`);
  if (rows.length === 0) return section(heading, empty("delivery"));
  const worstFirst = rows.toSorted(
    (a, b) => shareOf(a) - shareOf(b) || b.deliveries - a.deliveries,
  );
  const chart = bars(worstFirst.slice(0, MOST_RECEIVERS).map(receiverBar));
  const key = legend([
    { tone: "good", label: "Succeeded" },
    { tone: "quiet", label: "Waiting" },
    { tone: "bad", label: "Failed" },
  ]);
  return section(heading, html`${key}${chart}${folded("Figures", receiverTable(worstFirst))}`);
}

const shareOf = ({ succeeded, deliveries }: Webhooks): number => succeeded / deliveries;

/** Endpoints of one host are told apart by the end of their ids, and by that of their account's. */
function nameOf({ host, endpoint_id: id, account_id: account }: Webhooks): string {
  const endpoint = id === null ? "an order's own URL" : `endpoint …${id.slice(-6)}`;
  return `${host ?? "unknown"} (${endpoint}, account …${account.slice(-6)})`;
}

function receiverBar(row: Webhooks) {
  const { deliveries, succeeded, failed, waiting } = row;
  return {
    label: nameOf(row),
    value: percent(succeeded, deliveries),
    note: `of ${deliveries} delivered; ${waiting} waiting, ${failed} failed`,
    segments: [
      { share: succeeded / deliveries, tone: "good" as const, title: `${succeeded} succeeded` },
      { share: waiting / deliveries, tone: "quiet" as const, title: `${waiting} waiting` },
      { share: failed / deliveries, tone: "bad" as const, title: `${failed} failed` },
    ],
  };
}

function receiverTable(rows: readonly Webhooks[]): Html {
  const heads = [
    "Deliveries",
    "Succeeded",
    "Waiting",
    "Failed",
    "Attempts",
    "Median",
    "95 % within",
  ];
  return table({
    caption:
      "Deliveries by receiver; attempts per delivery; median and 95 % of the succeeded ones alone",
    head: [text("Receiver"), ...heads.map(figure)],
    rows: rows.map((row) => [
      text(nameOf(row)),
      ...[row.deliveries, row.succeeded, row.waiting, row.failed].map((n) => figure(String(n))),
      figure(row.deliveries === 0 ? NONE : (row.attempts / row.deliveries).toFixed(1)),
      figure(duration(row.median_seconds)),
      figure(duration(row.p95_seconds)),
    ]),
  });
}
