import { html, type Html } from "./html.ts";

export interface Heading {
  readonly title: string;
  /** What the figures mean, in a sentence or two. */
  readonly about: string;
  /** Takes the page's whole width. */
  readonly isWide?: boolean;
}

/** A part of the report. */
export function section({ title, about, isWide = false }: Heading, content: Html): Html {
  const width = isWide ? "wide" : "half";
  return html`<section class="${width}">
    <h2>${title}</h2>
    <p class="about">${about}</p>
    ${content}
  </section>`;
}

/** In place of a chart without anything to show. */
export function empty(what: string): Html {
  return html`<p class="empty">No ${what} in this period.</p>`;
}
