import { html, NOTHING, type Html } from "./html.ts";

/** What a colour stands for; the style has a class for each. */
export type Tone = "main" | "soft" | "good" | "warning" | "bad" | "quiet";

/** A part of a bar, as a share of its whole width. */
export interface Segment {
  readonly share: number;
  readonly tone: Tone;
  /** Shown where the mouse rests on it. */
  readonly title: string;
}

export interface Bar {
  readonly label: string;
  /** Says the same as the bar, in figures. */
  readonly value: string;
  readonly note?: string;
  readonly segments: readonly Segment[];
}

export interface LegendEntry {
  readonly tone: Tone;
  readonly label: string;
}

/** Shares of the width, so that a bar fits any page without its texts being scaled. */
function share(value: number): string {
  return `${(100 * Math.min(1, Math.max(0, value))).toFixed(2)}%`;
}

export function legend(entries: readonly LegendEntry[]): Html {
  const items = entries.map(({ tone, label }) => html`<li class="${tone}">${label}</li>`);
  return html`<ul class="legend">
    ${items}
  </ul>`;
}

/** Bars that lie below each other, each with its label and figures. */
export function bars(all: readonly Bar[]): Html {
  return html`<ul class="bars">
    ${all.map(bar)}
  </ul>`;
}

function bar({ label, value, note, segments }: Bar): Html {
  let from = 0;
  const parts = segments
    .filter((segment) => segment.share > 0)
    .map(({ share: width, tone, title }) => {
      const at = from;
      from += width;
      return html`<rect class="${tone}" x="${share(at)}" width="${share(width)}" height="100%"
        ><title>${title}</title></rect
      >`;
    });
  const small = note === undefined ? NOTHING : html` <small>${note}</small>`;
  return html`<li>
    <span class="label">${label}</span
    ><svg class="bar" aria-hidden="true">
      <rect class="track" width="100%" height="100%"></rect>
      ${parts}</svg
    ><span class="value">${value}${small}</span>
  </li>`;
}

/** Two columns beside each other: what came, and what was done in its parts. */
export interface Slot {
  readonly title: string;
  readonly came: number;
  readonly done: readonly { readonly value: number; readonly tone: Tone }[];
}

const CAME_TONE: Tone = "quiet";
/** A column's width: of its slot, but of the whole chart at most, so that few are no blocks. */
const COLUMN = 0.38;
const WIDEST = 0.03;

/** Columns over time; `labels` stand below, from left to right. */
export function columns(slots: readonly Slot[], labels: readonly string[], about: string): Html {
  const highest = niceAbove(Math.max(1, ...slots.map(heightOf)));
  const width = 1 / slots.length;
  const drawn = slots.map((slot, n) => drawSlot(slot, { from: n * width, width, highest }));
  const middle = html`<line class="grid" x1="0" x2="100%" y1="50%" y2="50%"></line>`;
  const axis = labels.length === slots.length ? "axis even" : "axis";
  return html`<div class="columns">
    <div class="scale"><span>${highest}</span><span>${highest / 2}</span><span>0</span></div>
    <svg role="img" aria-label="${about}">${middle}${drawn}</svg>
    <div class="${axis}">${labels.map((label) => html`<span>${label}</span>`)}</div>
  </div>`;
}

function heightOf({ came, done }: Slot): number {
  return Math.max(
    came,
    done.reduce((sum, { value }) => sum + value, 0),
  );
}

interface Place {
  readonly from: number;
  readonly width: number;
  readonly highest: number;
}

function drawSlot(slot: Slot, { from, width, highest }: Place): Html {
  const wide = Math.min(COLUMN * width, WIDEST);
  const column = (at: number, below: number, part: { value: number; tone: Tone }): Html =>
    html`<rect
      class="${part.tone}"
      x="${share(at)}"
      width="${share(wide)}"
      y="${share(1 - (below + part.value) / highest)}"
      height="${share(part.value / highest)}"
    ></rect>`;
  const middle = from + width / 2;
  let below = 0;
  const done = slot.done.map((part) => {
    const drawn = column(middle, below, part);
    below += part.value;
    return drawn;
  });
  const came = column(middle - wide, 0, { value: slot.came, tone: CAME_TONE });
  return html`<g><title>${slot.title}</title>${came}${done}</g>`;
}

const STEPS = [1, 2, 3, 4, 5, 6, 8, 10];

/** The first of 2, 4, 6, 8, 10, 20, 30 … that is not below the value: its half is whole. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const nice = STEPS.map((one) => one * power).filter((one) => one % 2 === 0);
  return nice.find((one) => one >= value) ?? value;
}
