import { html, NOTHING, type Html } from "./html.ts";

/** A cell that holds figures stands right; `shade` from 0 to 5 colours it. */
export interface TableCell {
  readonly text: string;
  readonly isFigure?: boolean;
  readonly shade?: number;
}

export interface Table {
  /** Stands above the table. */
  readonly caption: string;
  readonly head: readonly TableCell[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** A table of more columns is wider than a phone. */
const BROAD = 5;

export const text = (value: string): TableCell => ({ text: value });
export const figure = (value: string): TableCell => ({ text: value, isFigure: true });

/** The first cell of a row names it. */
export function table({ caption, head, rows }: Table): Html {
  const breadth = head.length > BROAD ? " broad" : "";
  const heads = head.map((cell) => html`<th scope="col" ${classes(cell)}>${cell.text}</th>`);
  return html`<p class="caption${breadth}">${caption}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="${caption}">
      <table>
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${rows.map(row)}
        </tbody>
      </table>
    </div>`;
}

function row(cells: readonly TableCell[]): Html {
  const [first, ...others] = cells;
  if (first === undefined) return NOTHING;
  const rest = others.map((cell) => html`<td${classes(cell)}>${cell.text}</td>`);
  return html`<tr>
    <th scope="row" ${classes(first)}>${first.text}</th>
    ${rest}
  </tr>`;
}

function classes({ isFigure = false, shade }: TableCell): Html {
  const names = [isFigure ? "figure" : "", shade === undefined ? "" : `shade-${shade}`];
  const given = names.filter((name) => name !== "").join(" ");
  return given === "" ? NOTHING : html` class="${given}"`;
}

/** A table that opens on demand, and is printed. */
export function folded(summary: string, content: Html): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}
