import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { PAGES_DIR } from "../../../services/platform/http/pages/built-pages.ts";

const KB = 1_000;
/** pdf.js and its worker, which only a case with a PDF fetches. */
const VIEWER = /pdf/;
/** Languages, of which an end user fetches one, and numbering plans: end-user.test.ts weighs what that page fetches. */
const OF_END_USERS = /^(?:de|en|es|fr|min)-/;

function gzipped(path: string): number {
  return gzipSync(readFileSync(path), { level: 9 }).length;
}

/** Gzipped bytes of an application's files: what its page asks for at once, and everything. */
function sizesOf(name: string) {
  const folder = join(PAGES_DIR, name);
  const page = readFileSync(join(folder, `${name}.html`), "utf8");
  const named = [...page.matchAll(/(?:src|href)="[^"]*\/assets\/([^"]+\.js)"/g)];
  const files = readdirSync(join(folder, "assets"));
  const sum = (some: readonly string[]): number =>
    some.reduce((all, file) => all + gzipped(join(folder, "assets", file)), 0);
  const scripts = files.filter((file) => /\.m?js$/.test(file));
  return {
    entry: sum(named.map(([, file = ""]) => file)),
    withoutViewer: sum(scripts.filter((file) => !VIEWER.test(file) && !OF_END_USERS.test(file))),
    viewer: sum(scripts.filter((file) => VIEWER.test(file))),
    styles: sum(files.filter((file) => file.endsWith(".css"))),
  };
}

describe("the pages' size", () => {
  it.each(["desk", "portal"])("of the %s keeps to the budget", (name) => {
    const { entry, withoutViewer, styles } = sizesOf(name);
    expect(entry).toBeGreaterThan(50 * KB);
    expect(entry).toBeLessThanOrEqual(150 * KB);
    expect(withoutViewer).toBeLessThanOrEqual(230 * KB);
    expect(styles).toBeGreaterThan(1 * KB);
    expect(styles).toBeLessThanOrEqual(15 * KB);
  });

  it("of the PDF viewer is no part of what every page fetches", () => {
    const { viewer } = sizesOf("desk");
    expect(viewer).toBeGreaterThan(300 * KB);
  });
});
