import { escapeHtml } from "./escape-html.ts";
import type { Heading } from "./headings.ts";
import { SITE_PATH } from "./navigation.ts";

/** A page as the lists of pages name it. */
export interface PageLink {
  readonly url: string;
  readonly label: string;
}

export interface LinkSection {
  readonly title: string;
  readonly pages: readonly PageLink[];
}

export interface FramedPage {
  readonly url: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

export interface Site {
  readonly sections: readonly LinkSection[];
  /** The URL of what the search reads. */
  readonly searchUrl: string;
}

/** A list of headings is of use from this many on. */
const FEW_HEADINGS = 2;
const SHOWN_DEPTHS: ReadonlySet<number> = new Set([2, 3]);

/** The body of a page: the bar, the list of pages, its content and the list of its headings. */
export function pageBody(page: FramedPage, { sections, searchUrl }: Site): string {
  return `<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
  <a class="home" href="${SITE_PATH}">Number Porting <span>docs</span></a>
  <div class="tools" data-search="${searchUrl}"><a href="${SITE_PATH}/api">API reference</a></div>
</header>
<div class="columns">
  <nav class="pages" id="pages" aria-label="Pages">${sections.map((one) => sectionHtml(one, page.url)).join("")}</nav>
  ${onThisPage(page.headings)}
  <main id="content"><article>
${page.html}</article>
${turnHtml(page.url, sections)}</main>
</div>`;
}

function sectionHtml({ title, pages }: LinkSection, current: string): string {
  const items = pages.map(({ url, label }) => {
    const mark = url === current ? ' aria-current="page"' : "";
    return `<li><a href="${url}"${mark}>${escapeHtml(label)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2><ul>${items.join("")}</ul>`;
}

/** The pages before and after this one, in reading order. */
function turnHtml(current: string, sections: readonly LinkSection[]): string {
  const pages = sections.flatMap((section) => section.pages);
  const at = pages.findIndex(({ url }) => url === current);
  if (at < 0) return "";
  const link = (page: PageLink | undefined, what: string): string =>
    page === undefined
      ? ""
      : `<a class="${what.toLowerCase()}" href="${page.url}"><span>${what}</span> ${escapeHtml(page.label)}</a>`;
  const before = at === 0 ? undefined : pages[at - 1];
  return `<nav class="turn" aria-label="Previous and next page">${link(before, "Previous")}${link(pages[at + 1], "Next")}</nav>`;
}

function onThisPage(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => SHOWN_DEPTHS.has(depth));
  if (shown.length < FEW_HEADINGS) return "";
  const items = shown.map(
    ({ depth, text, anchor }) =>
      `<li class="depth-${depth}"><a href="#${anchor}">${breakable(escapeHtml(text))}</a></li>`,
  );
  return `<nav class="headings" aria-label="On this page"><details open><summary>On this page</summary><ul>${items.join("")}</ul></details></nav>`;
}

/** Lets a narrow column break names such as `porting_order.created` at their joints. */
function breakable(html: string): string {
  return html.replaceAll(/[._](?=\w)/g, "$&<wbr />");
}
