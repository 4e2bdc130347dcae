import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { acceptsOf } from "../../../../test/support/http/accepts-of.ts";
import { AppError } from "../../errors.ts";
import { openPages, type BuiltPages } from "./built-pages.ts";

const HTML = "text/html,application/xhtml+xml,*/*;q=0.8";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porting-pages-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "desk.html"), "<title>Desk</title>");
  writeFileSync(join(folder, "assets", "desk-1a2b.js"), "go();");
  writeFileSync(join(folder, "assets", "desk-1a2b.css"), "body{}");
  writeFileSync(join(folder, "assets", "worker-1a2b.mjs"), "work();");
  writeFileSync(join(folder, "secret.txt"), "not an asset");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(base = "/"): BuiltPages {
  return openPages({ folder, name: "desk", base });
}

describe("the page of an application", () => {
  it.each(["/", "/reviews", "/reviews/018f/anything", "/desk.html"])(
    "is shown at %s, which its own code reads",
    (path) => {
      const reply = open().answer(path, acceptsOf(HTML));
      expect(reply?.raw?.content).toEqual(Buffer.from("<title>Desk</title>"));
      expect(reply?.raw?.type).toBe("text/html; charset=utf-8");
      expect(reply?.headers?.["Cache-Control"]).toBe("no-cache");
    },
  );

  it("is shown only to a browser that opens it, so that programs get their problem", () => {
    for (const accept of [
      "application/json",
      "*/*",
      undefined,
      "text/html;q=0.1, */*",
      "text/html;q=0",
    ])
      expect(open().answer("/reviews", acceptsOf(accept))).toBeNull();
  });

  // A mail scanner, a preview and a probe ask for anything: they got 404 for a link that a browser opens.
  it.each(["*/*", undefined, "text/*;q=0.3", "application/json, */*;q=0.1"])(
    "is shown at its own path and below the portal's to whoever takes HTML at all: %s",
    (accept) => {
      expect(open().answer("/", acceptsOf(accept))).not.toBeNull();
      expect(open("/portal/").answer("/portal/l/one", acceptsOf(accept))).not.toBeNull();
    },
  );

  it.each(["application/json", "text/html;q=0, */*", "image/*"])(
    "is not shown to who does not take HTML: %s",
    (accept) => {
      expect(open().answer("/", acceptsOf(accept))).toBeNull();
      expect(open("/portal/").answer("/portal/l/one", acceptsOf(accept))).toBeNull();
    },
  );

  it("is shown below its own path alone", () => {
    const portal = open("/portal/");
    expect(portal.answer("/portal", acceptsOf(HTML))).not.toBeNull();
    expect(portal.answer("/portal/orders", acceptsOf(HTML))).not.toBeNull();
    expect(portal.answer("/portals", acceptsOf(HTML))).toBeNull();
    expect(portal.answer("/", acceptsOf(HTML))).toBeNull();
  });

  it("runs nothing but its own files, and makes no markup of text", () => {
    const policy = open().answer("/", acceptsOf(HTML))?.headers?.["Content-Security-Policy"] ?? "";
    const rules = policy.split("; ");
    expect(rules).toEqual(
      expect.arrayContaining([
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
      ]),
    );
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  });
});

describe("a built file", () => {
  it.each([
    ["/assets/desk-1a2b.js", "text/javascript; charset=utf-8", "go();"],
    ["/assets/desk-1a2b.css", "text/css; charset=utf-8", "body{}"],
    ["/assets/worker-1a2b.mjs", "text/javascript; charset=utf-8", "work();"],
  ])("%s keeps its kind, and is kept by browsers for good", (path, type, content) => {
    const reply = open().answer(path, acceptsOf("*/*"));
    expect(reply?.raw?.type).toBe(type);
    expect(reply?.raw?.content).toEqual(Buffer.from(content));
    expect(reply?.headers?.["Cache-Control"]).toBe("public, max-age=31536000, immutable");
  });

  it("is served below the application's path", () => {
    expect(open("/portal/").answer("/portal/assets/desk-1a2b.js", acceptsOf("*/*"))).not.toBeNull();
    expect(open("/portal/").answer("/assets/desk-1a2b.js", acceptsOf("*/*"))).toBeNull();
  });

  it.each([
    "/assets/gone.js",
    "/assets/../secret.txt",
    "/secret.txt",
    "/assets/../../package.json",
  ])("is not found by the path %s", (path) =>
    expect(open().answer(path, acceptsOf("*/*"))).toBeNull(),
  );
});

describe("pages that were not built", () => {
  it.each([
    ["the folder is missing", () => join(folder, "none")],
    ["the page is missing", () => join(folder, "assets")],
  ])("are reported at the start where %s", (_what, where) => {
    const opened = (): BuiltPages => openPages({ folder: where(), name: "desk", base: "/" });
    expect(opened).toThrow(AppError);
    expect(opened).toThrow(/npm run build/);
  });
});
