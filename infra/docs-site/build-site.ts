import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lexer, Parser, type MarkedToken, type Token } from "marked";
import { NOT_FOUND_PAGE } from "../../services/platform/http/pages/built-pages.ts";
import { escapeHtml } from "./escape-html.ts";
import { assetName, Pictures, SiteRenderer } from "./site-renderer.ts";
import { readFence } from "./code-blocks.ts";
import { withGenerated } from "./generated/generated.ts";
import { createAnchors, headingsOf, plainText, type Heading } from "./headings.ts";
import { nameOf, SECTIONS, SITE_PATH, urlOf, type PageEntry } from "./navigation.ts";
import { REFERENCES } from "./reference/references.ts";
import { referencePages } from "./reference/reference-pages.ts";

/** A page as the lists of pages name it. */
export interface PageLink {
  readonly url: string;
  readonly label: string;
}

interface LinkSection {
  readonly title: string;
  readonly pages: readonly PageLink[];
}

export interface FramedPage {
  readonly url: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

interface Site {
  /** As a page lists them: of the references, the parts of its own. */
  readonly sectionsFor: (url: string) => readonly LinkSection[];
  /** The URL of what the search reads. */
  readonly searchUrl: string;
}

/** A list of headings is of use from this many on. */
const FEW_HEADINGS = 2;
const SHOWN_DEPTHS: ReadonlySet<number> = new Set([2, 3]);

/** The body of a page: the bar, the list of pages, its content and the list of its headings. */
function pageBody(page: FramedPage, { sectionsFor, searchUrl }: Site): string {
  const sections = sectionsFor(page.url);
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

/** A page before it is drawn. */
export interface ReadPage {
  readonly file: string;
  /** Its name in lists. */
  readonly label: string;
  readonly title: string;
  readonly tokens: readonly Token[];
  readonly headings: readonly Heading[];
}

/** A page's file, with what is generated from the code's tables. @throws where it has no title */
function readPage(file: string, markdown: string, label?: string): ReadPage {
  const tokens = lexer(markdown);
  const headings = headingsOf(tokens);
  const [first] = headings;
  if (first?.depth !== 1) throw new Error(`${file} does not begin with its title.`);
  return { file, label: label ?? first.text, title: first.text, tokens, headings };
}

/** The pages of the site, in reading order. */
function readPages(root: string): ReadPage[] {
  const read = ({ file, label }: PageEntry): ReadPage =>
    readPage(file, withGenerated(readFileSync(join(root, file), "utf8")), label);
  const guides = SECTIONS.flatMap(({ pages }) => pages.map(read));
  const references = REFERENCES.flatMap(referencePages);
  return [
    ...guides,
    ...references.map(({ file, markdown, label }) => readPage(file, markdown, label)),
  ];
}

const MISSING =
  "<h1>There is no such page</h1>\n<p>Search for it, or choose one of the list.</p>\n";

type Files = ReadonlyMap<string, string | Buffer>;

/** Every file of the site by its path below the site's folder; `template` has `{{title}}` and `{{body}}`. */
export function buildSite(root: string, template: string): Files {
  const pages = readPages(root);
  const found = pages.flatMap((page) =>
    searchSections({ title: page.title, url: urlOf(page.file) }, page.tokens),
  );
  const index = JSON.stringify(found);
  const indexName = assetName("search", ".json", index);
  const site: Site = {
    sectionsFor: linkSections(pages),
    searchUrl: `${SITE_PATH}/assets/${indexName}`,
  };
  const pictures = new Pictures(root);
  const files = new Set(pages.map(({ file }) => file));
  const drawn = pages.map((page): [string, string] => {
    const { file, title, tokens, headings } = page;
    const renderer = new SiteRenderer({ file, files, pictures });
    const html = Parser.parse([...tokens], { renderer });
    const body = pageBody({ url: urlOf(file), html, headings }, site);
    const name = nameOf(file);
    return [`${name === "" ? "index" : name}.html`, filled(template, title, body)];
  });
  const missing = pageBody({ url: "", html: MISSING, headings: [] }, site);
  const assets = [...pictures.assets, [indexName, index] as const];
  return new Map<string, string | Buffer>([
    ...drawn,
    [`${NOT_FOUND_PAGE}.html`, filled(template, "Not found", missing)],
    ...assets.map(([name, content]): [string, string | Buffer] => [`assets/${name}`, content]),
  ]);
}

function linkSections(pages: readonly ReadPage[]): Site["sectionsFor"] {
  const linkOf = ({ file, label }: ReadPage): PageLink => ({ url: urlOf(file), label });
  const links = new Map(pages.map((page) => [page.file, linkOf(page)]));
  const guides = SECTIONS.map(({ title, pages: entries }) => ({
    title,
    pages: entries.flatMap(({ file }) => links.get(file) ?? []),
  }));
  return (url) => {
    const shown = REFERENCES.flatMap(({ file }) => {
      const first = urlOf(file);
      const isOpen = url === first || url.startsWith(`${first}/`);
      return [...links.values()].filter(
        (link) => link.url === first || (isOpen && link.url.startsWith(`${first}/`)),
      );
    });
    return [...guides, { title: "API reference", pages: shown }];
  };
}

function filled(template: string, title: string, body: string): string {
  return template
    .replace("{{title}}", () => `${escapeHtml(title)} · Number Porting docs`)
    .replace("{{body}}", () => body);
}

/** Builds the site into the folder that has its built template, `docs.html`, which it takes away. */
export function writeSite(root: string, folder: string): void {
  const template = join(folder, "docs.html");
  // The script sets a chosen theme, which has to stand before the first paint.
  const early = readFileSync(template, "utf8").replace(
    '<script type="module"',
    '<script type="module" blocking="render"',
  );
  for (const [name, content] of buildSite(root, early)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  rmSync(template);
}

/** What a search finds: the part of a page below one heading. */
export interface SearchSection {
  readonly id: string;
  /** The title of the page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

interface Part {
  heading: string;
  anchor: string;
  texts: string[];
}

/** A heading of the changelog. What is older than these is read there, and found by nobody who looks for what is. */
const RELEASE = /^\d+\.\d+\.\d+ \(/;
const RELEASES_SEARCHED = 2;

/** The sections of a page; the id of each is its URL. */
function searchSections(
  page: { readonly title: string; readonly url: string },
  tokens: readonly Token[],
): SearchSection[] {
  const anchorOf = createAnchors();
  const parts: Part[] = [];
  let releases = 0;
  for (const given of tokens) {
    const token = given as MarkedToken;
    if (token.type === "heading") {
      const heading = plainText(token.tokens);
      if (RELEASE.test(heading)) releases += 1;
      if (releases > RELEASES_SEARCHED) break;
      parts.push({ heading, anchor: anchorOf(heading), texts: [] });
    } else parts.at(-1)?.texts.push(blockText(token));
  }
  return parts.map(({ heading, anchor, texts }, n) => ({
    id: n === 0 ? page.url : `${page.url}#${anchor}`,
    page: page.title,
    heading,
    text: texts.join(" ").replaceAll(/\s+/g, " ").trim(),
  }));
}

/** Columns that say the same in many rows: of the references' operations, of the countries' kinds. */
const UNSEARCHED: ReadonlySet<string> = new Set([
  ...["Type", "Where and what", "Error", "Codes"],
  ...["Mandatory", "Optional", "Windows", "Source of the days", "of the windows"],
]);

function isForPrograms(lang: string | undefined): boolean {
  const { language, attributes } = readFence(lang);
  return language === "tabs" || "folded" in attributes || "sample" in attributes;
}

function blockText(given: Token): string {
  const token = given as MarkedToken;
  if (token.type === "html") return "";
  // Reference for programs would be found by every word.
  if (token.type === "code" && isForPrograms(token.lang)) return "";
  if (token.type === "list") {
    return token.items.flatMap(({ tokens }) => tokens.map(blockText)).join(" ");
  }
  if (token.type === "table") {
    const isSearched = token.header.map(({ text }) => !UNSEARCHED.has(text));
    const cells = [token.header, ...token.rows].flatMap((row) =>
      row.filter((_, n) => isSearched[n]),
    );
    return cells.map(({ tokens }) => plainText(tokens)).join(" ");
  }
  return plainText([token]);
}
