import type { Figures } from "../figures.ts";
import { count, duration, NONE, percent } from "./format.ts";
import { html, type Html } from "./html.ts";

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

function sumOf<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}

/** The period in six figures. */
export function tiles(figures: Figures): Html {
  const { overview, firstTimeRight, focKept, webhooks } = figures;
  const ended = sumOf(firstTimeRight, (row) => row.ended);
  const right = sumOf(firstTimeRight, (row) => row.first_time_right);
  const dated = sumOf(focKept, (row) => row.dated);
  const kept = sumOf(focKept, (row) => row.kept);
  const deliveries = sumOf(webhooks ?? [], (row) => row.deliveries);
  const succeeded = sumOf(webhooks ?? [], (row) => row.succeeded);
  const waiting = sumOf(webhooks ?? [], (row) => row.waiting);
  const failed = sumOf(webhooks ?? [], (row) => row.failed);
  const all: readonly Tile[] = [
    {
      name: "Orders created",
      value: count(overview.created),
      note: `${count(overview.submitted)} submitted, ${count(overview.open)} open now`,
    },
    {
      name: "Orders completed",
      value: count(overview.completed),
      note: `${count(overview.completed_partial)} of them in part; ${count(overview.cancelled)} cancelled`,
    },
    {
      name: "Time to port",
      value: duration(overview.median_seconds),
      note: "median, submission to completion",
    },
    { name: "First time right", value: percent(right, ended), note: `${right} of ${ended} ended` },
    { name: "FOC dates kept", value: percent(kept, dated), note: `${kept} of ${dated} dated` },
    {
      name: "Webhooks delivered",
      value: percent(succeeded, deliveries),
      note:
        webhooks === null
          ? NONE
          : `${count(succeeded)} delivered, ${count(waiting)} waiting, ${count(failed)} failed`,
    },
  ];
  const items = all.map(
    ({ name, value, note }) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value} <small>${note}</small></dd>
      </div>`,
  );
  return html`<dl class="tiles">${items}</dl>`;
}
