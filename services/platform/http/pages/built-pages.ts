import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import type { Context } from "koa";
import { AppError } from "../../errors.ts";
import { noSuchPath } from "../body/check-request.ts";
import type { Reply } from "../routing/reply.ts";

/** Where the build leaves the pages, a folder for each application (`desk`, `portal`) and for the site (`docs`). */
export const PAGES_DIR = "dist/web";

/** The type of those that a request accepts best, the first where it likes several as well; false for none (RFC 9110, 12.5.1). */
export type Accepts = (...types: string[]) => string | false;

export interface BuiltPages {
  /** The file or the page of a path; null where there is none. */
  answer(path: string, accepts: Accepts): Reply | null;
}

const HTML = "text/html";

/** Whether the page is shown rather than the problem that programs get where a path is nothing of theirs. */
function prefersPage(accepts: Accepts): boolean {
  return accepts("application/problem+json", "application/json", HTML) === HTML;
}

interface PageOptions {
  /** The folder of the built files: `assets/`, named by their content, and one `<name>.html`. */
  readonly folder: string;
  readonly name: string;
  /** The path that the application is served below: `/` or `/portal/`. */
  readonly base: string;
}

/** Nothing but the application's own files, and no markup from text: pages show what strangers wrote. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types desk",
].join("; ");

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/**
 * An application's built files, kept in memory. Any path below `base` that a browser opens as a page is the
 * application's own, which reads its URL itself. At `base` itself, and below one that is no other API's path, whoever takes HTML
 * at all gets the page: mail scanners, previews and probes ask for anything.
 * @throws `invalid_config` where the folder has not been built
 */
export function openPages({ folder, name, base }: PageOptions): BuiltPages {
  const files = readFiles(folder, base);
  const page = files.get(`${base}${name}.html`);
  if (page === undefined) throw notBuilt(folder);
  return {
    answer: (path, accepts) => {
      const asset = path.startsWith(`${base}assets/`) ? files.get(path) : undefined;
      if (asset !== undefined) return fileReply(path, asset);
      const isBelow = path === base.replace(/(?<=.)\/$/, "") || path.startsWith(base);
      if (!isBelow) return null;
      const isOwn = base !== "/" || path === base;
      return (isOwn ? accepts(HTML) === HTML : prefersPage(accepts)) ? pageReply(page) : null;
    },
  };
}

function notBuilt(folder: string): AppError {
  const detail = `There are no built pages in ${folder}: run npm run build.`;
  return new AppError("invalid_config", detail);
}

/** Several as one: the first that has the path. */
export function firstOf(all: readonly BuiltPages[]): BuiltPages {
  return {
    answer: (path, accepts) =>
      all.reduce<Reply | null>((found, pages) => found ?? pages.answer(path, accepts), null),
  };
}

/** @throws `not_found` where the path is not a page's */
export function pageOf(pages: BuiltPages | undefined, ctx: Context, path: string): Reply {
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  if (!isRead || pages === undefined) throw noSuchPath();
  const asked: string[] = [];
  const reply = pages.answer(path, (...types) => {
    asked.push(...types);
    return ctx.accepts(...types);
  });
  if (asked.length > 0) ctx.vary("Accept");
  if (reply === null) throw noSuchPath();
  return reply;
}

/** The files below a folder, by the paths that they are served at; none where it is missing. */
function readFiles(folder: string, base: string): ReadonlyMap<string, Buffer> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Map(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [base + relative(folder, path), readFileSync(path)];
      }),
    );
  } catch {
    return new Map();
  }
}

/** A file that is named by its content, so that browsers keep it for good. */
function fileReply(path: string, content: Buffer): Reply {
  const type = TYPES[extname(path)] ?? "application/octet-stream";
  return {
    status: 200,
    headers: { "Cache-Control": "public, max-age=31536000, immutable" },
    raw: { type, content, isConstant: true },
  };
}

function pageReply(content: Buffer, status = 200): Reply {
  return {
    status,
    headers: {
      "Cache-Control": "no-cache",
      "Content-Security-Policy": POLICY,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
    },
    raw: { type: "text/html; charset=utf-8", content, isConstant: true },
  };
}

/** What a browser is shown where the site has no such page. */
export const NOT_FOUND_PAGE = "not-found";

/**
 * A site's built files, kept in memory: `index.html` at `base`, each other page at its name without `.html`, and
 * `assets/`, named by their content. Pages are read by programs too, so that any `Accept` gets them.
 * @throws `invalid_config` where the folder has not been built
 */
export function openSite({ folder, base }: Omit<PageOptions, "name">): BuiltPages {
  const files = readFiles(folder, base);
  const page = (name: string): Buffer | undefined => files.get(`${base}${name}.html`);
  const missing = page(NOT_FOUND_PAGE);
  if (page("index") === undefined || missing === undefined) throw notBuilt(folder);
  return {
    answer: (path, accepts) => {
      if (path !== base.slice(0, -1) && !path.startsWith(base)) return null;
      const name = path.slice(base.length);
      const asset = name.startsWith("assets/") ? files.get(path) : undefined;
      if (asset !== undefined) return fileReply(path, asset);
      const found = page(name === "" ? "index" : name);
      if (found !== undefined) return pageReply(found);
      return prefersPage(accepts) ? pageReply(missing, 404) : null;
    },
  };
}
