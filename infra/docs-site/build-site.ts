import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lexer, Parser, type Token } from "marked";
import { NOT_FOUND_PAGE } from "../../services/platform/http/pages/built-site.ts";
import { assetName } from "./asset-name.ts";
import { escapeHtml } from "./escape-html.ts";
import { withGenerated } from "./generated/generated.ts";
import { headingsOf, type Heading } from "./headings.ts";
import { nameOf, SECTIONS, SITE_PATH, urlOf, type PageEntry } from "./navigation.ts";
import { pageBody, type LinkSection, type Site } from "./page-frame.ts";
import { Pictures } from "./pictures.ts";
import { searchSections } from "./search-sections.ts";
import { SiteRenderer } from "./site-renderer.ts";

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
export function readPage(root: string, { file, label }: PageEntry): ReadPage {
  const tokens = lexer(withGenerated(readFileSync(join(root, file), "utf8")));
  const headings = headingsOf(tokens);
  const [first] = headings;
  if (first?.depth !== 1) throw new Error(`${file} does not begin with its title.`);
  return { file, label: label ?? first.text, title: first.text, tokens, headings };
}

/** The pages of the site, in reading order. */
export function readPages(root: string): ReadPage[] {
  return SECTIONS.flatMap(({ pages }) => pages.map((entry) => readPage(root, entry)));
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
    sections: linkSections(pages),
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

function linkSections(pages: readonly ReadPage[]): LinkSection[] {
  const labels = new Map(pages.map(({ file, label }) => [file, label]));
  return SECTIONS.map(({ title, pages: entries }) => ({
    title,
    pages: entries.map(({ file }) => ({ url: urlOf(file), label: labels.get(file) ?? "" })),
  }));
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
