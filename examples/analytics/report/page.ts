import { createHash } from "node:crypto";
import type { Figures } from "../figures.ts";
import { desk } from "./desk-section.ts";
import { count, date, dateTime } from "./format.ts";
import { Html, html } from "./html.ts";
import { firstTimeRight, focKept, rejections, timeInStatus } from "./order-sections.ts";
import { portOuts, webhooks } from "./outside-sections.ts";
import { STYLE } from "./style.ts";
import { tiles } from "./tiles.ts";

/** What the report covers, and from what it was drawn. */
export interface Period {
  readonly since: Date;
  readonly drawnAt: Date;
  readonly events: number;
  readonly lastEventAt: Date;
}

/** Nothing but this one style may be loaded or run, wherever the file is opened. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** The report as one HTML file without scripts, images or fonts of its own. */
export function drawPage(figures: Figures, period: Period): string {
  const sections = [
    timeInStatus(figures),
    desk(figures),
    rejections(figures),
    portOuts(figures),
    firstTimeRight(figures),
    focKept(figures),
    webhooks(figures),
  ];
  const { since, drawnAt, events, lastEventAt } = period;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Porting report, ${date(since)} to ${date(drawnAt)}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <h1>Porting report</h1>
          <p>
            ${date(since)} to ${date(drawnAt)}. Drawn on ${dateTime(drawnAt)} from ${count(events)}
            events, the last of ${dateTime(lastEventAt)}.
          </p>
        </header>
        <main>${tiles(figures)} ${sections}</main>
      </body>
    </html> `;
  return page.markup;
}
