import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, extname, join, posix } from "node:path";
import { Renderer, type Tokens } from "marked";
import { readFence } from "./code-blocks.ts";
import { colouredCode } from "./coloured-code.ts";
import { escapeHtml } from "./escape-html.ts";
import { createAnchors, plainText } from "./headings.ts";
import { SITE_PATH, urlOf } from "./navigation.ts";

const HASH_LENGTH = 8;

/** `case-1a2b3c4d.png`: a name that changes with the content, so that browsers may keep the file for good. */
export function assetName(name: string, extension: string, content: Buffer | string): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_LENGTH);
  return `${name}-${hash}${extension}`;
}

export interface Picture {
  readonly url: string;
  /** In pixels, so that a page keeps its place while the picture loads. */
  readonly width: number;
  readonly height: number;
}

const PNG_WIDTH = 16;
const PNG_HEIGHT = 20;

/** The pictures that pages show, PNG files, each an asset that is named by its content. */
export class Pictures {
  readonly #root: string;
  readonly #assets = new Map<string, Buffer>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The files to write, by their names below `assets/`. */
  get assets(): ReadonlyMap<string, Buffer> {
    return this.#assets;
  }

  /** @throws where there is no such file */
  take(file: string): Picture {
    const content = readFileSync(join(this.#root, file));
    const name = assetName(basename(file, extname(file)), extname(file), content);
    this.#assets.set(name, content);
    return {
      url: `${SITE_PATH}/assets/${name}`,
      width: content.readUInt32BE(PNG_WIDTH),
      height: content.readUInt32BE(PNG_HEIGHT),
    };
  }
}

export interface RenderedPage {
  /** The source, from the project's root, which its links start at. */
  readonly file: string;
  /** The sources of all pages. */
  readonly files: ReadonlySet<string>;
  readonly pictures: Pictures;
}

function blockHtml(text: string, language: string, name = ""): string {
  return `<div class="code">${name}<pre tabindex="0"><code>${colouredCode(text, language)}</code></pre></div>`;
}

/** Turns the tokens of a page into HTML that needs no script: what scripts add, such as copy buttons, they add themselves. */
export class SiteRenderer extends Renderer {
  readonly #page: RenderedPage;
  readonly #anchorOf = createAnchors();
  #tabsCount = 0;

  constructor(page: RenderedPage) {
    super();
    this.#page = page;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const text = plainText(tokens);
    const anchor = this.#anchorOf(text);
    const heading = `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>`;
    if (depth === 1) return `${heading}\n`;
    const label = escapeHtml(`Link to “${text}”`);
    return `<div class="heading">${heading}<a href="#${anchor}" aria-label="${label}">#</a></div>\n`;
  }

  override code({ text, lang }: Tokens.Code): string {
    const { language, attributes } = readFence(lang);
    if (language === "tabs") return this.#tabs(text);
    const { file, folded } = attributes;
    const name = file === undefined ? "" : `<p class="file-name">${escapeHtml(file)}</p>`;
    const block = `${blockHtml(text, language, name)}\n`;
    if (folded === undefined) return block;
    return `<details><summary>${escapeHtml(folded)}</summary>${block}</details>\n`;
  }

  /** The same in several languages, each after a line `=== label language`; the choice needs no script. */
  #tabs(text: string): string {
    this.#tabsCount += 1;
    const name = `tabs-${this.#tabsCount}`;
    const parts = text.split(/^=== (.+) (\w+)\n/m).slice(1);
    const choices = parts.flatMap((label, n) => {
      if (n % 3 !== 0) return [];
      const id = `${name}-${n / 3}`;
      const input = `<input type="radio" name="${name}" id="${id}" value="${label}"${n === 0 ? " checked" : ""} />`;
      const code = blockHtml((parts[n + 2] ?? "").trimEnd(), parts[n + 1] ?? "");
      return [`${input}<label for="${id}">${label}</label>${code}`];
    });
    return `<div class="tabs" role="group" aria-label="Language">${choices.join("")}</div>\n`;
  }

  override table(token: Tokens.Table): string {
    return `<div class="table" role="group" aria-label="Table" tabindex="0">${super.table(token)}</div>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const text = this.parser.parseInline(tokens);
    const url = this.#resolve(href);
    if (url !== null) return `<a href="${escapeHtml(url)}">${text}</a>`;
    return `<span class="source" title="In the repository: ${escapeHtml(this.#target(href))}">${text}</span>`;
  }

  override image({ href, text }: Tokens.Image): string {
    const { url, width, height } = this.#page.pictures.take(this.#target(href));
    return `<img src="${url}" width="${width}" height="${height}" alt="${escapeHtml(text)}" loading="lazy" />`;
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    if (/^<!--[^]*-->\s*$/.test(text)) return "";
    throw new Error(`${this.#page.file} has HTML, which the site does not show: ${text}`);
  }

  /** The file that a relative link names, from the project's root. */
  #target(href: string): string {
    const [path = ""] = href.split("#", 1);
    return posix.join(posix.dirname(this.#page.file), path);
  }

  /** Null for a file of the repository that is not a page. */
  #resolve(href: string): string | null {
    if (/^(?:[a-z]+:|[#/])/.test(href)) return href;
    const target = this.#target(href);
    if (!this.#page.files.has(target)) return null;
    const anchor = href.includes("#") ? href.slice(href.indexOf("#")) : "";
    return urlOf(target) + anchor;
  }
}
