import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { acceptsOf } from "../../../../test/support/http/accepts-of.ts";
import { AppError } from "../../errors.ts";
import { openSite, type BuiltPages } from "./built-pages.ts";

const HTML = "text/html,application/xhtml+xml,*/*;q=0.8";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porting-site-"));
  for (const name of ["assets", "guides"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "index.html"), "home");
  writeFileSync(join(folder, "not-found.html"), "nothing here");
  writeFileSync(join(folder, "guides", "webhooks.html"), "webhooks");
  writeFileSync(join(folder, "assets", "search-1a2b.json"), "[]");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(): BuiltPages {
  return openSite({ folder, base: "/docs/" });
}

describe("a page of the site", () => {
  it.each([
    ["/docs", "home"],
    ["/docs/", "home"],
    ["/docs/guides/webhooks", "webhooks"],
  ])("is shown at %s, to programs as well", (path, content) => {
    for (const accept of [HTML, "*/*", undefined]) {
      const reply = open().answer(path, acceptsOf(accept));
      expect([reply?.status, reply?.raw?.content]).toEqual([200, Buffer.from(content)]);
      expect(reply?.headers?.["Cache-Control"]).toBe("no-cache");
    }
  });

  it("runs nothing but the site's own files", () => {
    const policy =
      open().answer("/docs", acceptsOf(HTML))?.headers?.["Content-Security-Policy"] ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  });

  it.each(["/docs/gone", "/docs/guides/webhooks/", "/docs/guides", "/docs/../package.json"])(
    "that does not exist is a page that says so: %s",
    (path) => {
      const reply = open().answer(path, acceptsOf(HTML));
      expect([reply?.status, reply?.raw?.content]).toEqual([404, Buffer.from("nothing here")]);
      expect(open().answer(path, acceptsOf("application/json"))).toBeNull();
    },
  );

  it.each(["/", "/docset", "/portal", "/guides/webhooks"])("is not at %s", (path) => {
    expect(open().answer(path, acceptsOf(HTML))).toBeNull();
  });
});

describe("a file of the site", () => {
  it("is kept by browsers for good", () => {
    const reply = open().answer("/docs/assets/search-1a2b.json", acceptsOf("*/*"));
    expect(reply?.raw?.type).toBe("application/json");
    expect(reply?.headers?.["Cache-Control"]).toBe("public, max-age=31536000, immutable");
  });

  it("is not its source", () => {
    expect(open().answer("/docs/index.html", acceptsOf("*/*"))).toBeNull();
  });
});

describe("a site that was not built", () => {
  it("is reported at the start", () => {
    const opened = (): BuiltPages => openSite({ folder: join(folder, "none"), base: "/docs/" });
    expect(opened).toThrow(AppError);
    expect(opened).toThrow(/npm run build/);
  });
});
