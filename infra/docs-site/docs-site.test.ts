import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";
import { buildSite } from "./build-site.ts";
import { codeBlocks } from "./code-blocks.ts";
import { placeholderOf, withGenerated } from "./generated/generated.ts";
import { anchorsOf } from "./headings.ts";
import { nameOf, SECTIONS, urlOf } from "./navigation.ts";
import { Pictures, SiteRenderer } from "./site-renderer.ts";
import { Parser, lexer } from "marked";

const TEMPLATE = readFileSync(join(projectRoot, "packages", "docs-page", "docs.html"), "utf8");
const listed = SECTIONS.flatMap(({ pages }) => pages.map(({ file }) => file));
const site = buildSite(projectRoot, TEMPLATE);
const html = new Map(
  [...site].flatMap(([name, content]): [string, string][] =>
    name.endsWith(".html") ? [[name, String(content)]] : [],
  ),
);
const pages = [...html].map(([name, content]) => ({ name, content }));

/** What the API serves beside the site. */
const SERVED: ReadonlySet<string> = new Set(["/openapi.json", "/asyncapi.json"]);

function fileOf(path: string): string {
  const name = path.replace(/^\/docs\/?/, "");
  if (name === "") return "index.html";
  return name.startsWith("assets/") ? name : `${name}.html`;
}

/** Whether a link of a page leads somewhere within the site. */
function isAlive(page: string, link: string): boolean {
  if (/^[a-z]+:/.test(link) || SERVED.has(link)) return true;
  const [path = "", anchor] = link.split("#", 2);
  const target = path === "" ? page : fileOf(path);
  if (!site.has(target)) return false;
  return anchor === undefined || String(site.get(target)).includes(` id="${anchor}"`);
}

function draw(markdown: string): string {
  const files = new Set(["docs/a.md", "docs/guides/b.md"]);
  const pictures = new Pictures(projectRoot);
  const renderer = new SiteRenderer({ file: "docs/a.md", files, pictures });
  return Parser.parse(lexer(markdown), { renderer });
}

describe("the pages of the docs site", () => {
  it("are all documents but those for who changes the code", () => {
    const documents = readdirSync(join(projectRoot, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !/^(?:adr|contract)\//.test(name))
      .map((name) => posix.join("docs", name));
    expect(documents.filter((file) => !listed.includes(file))).toEqual([
      "docs/ARCHITECTURE.md",
      "docs/regressions.md",
    ]);
    expect(new Set(listed.map(nameOf)).size).toBe(listed.length);
  });

  it.each(pages)("have links that lead somewhere: $name", ({ name, content }) => {
    const links = [...content.matchAll(/ (?:href|src|data-search)="([^"]+)"/g)].map(
      ([, link = ""]) => link.replaceAll("&amp;", "&"),
    );
    const own = links.filter((link) => !/^\.\.?\//.test(link));
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((link) => !isAlive(name, link))).toEqual([]);
  });

  it.each(pages)("run no script and have no style of their own: $name", ({ content }) => {
    expect(content.match(/<script(?![^>]* src="\.\/main\.ts")| style=| on[a-z]+="/g)).toBeNull();
    expect(
      content.match(/<(?:img|script|link)[^>]*(?:src|href)="(?:https?:|\/\/|data:)/g),
    ).toBeNull();
  });

  it("lead from each to the next", () => {
    const next = listed.slice(1).map((file, n) => [listed[n] ?? "", urlOf(file)] as const);
    for (const [file, url] of next) {
      expect(html.get(fileOf(urlOf(file)))).toContain(`<a class="next" href="${url}">`);
    }
    expect(html.get(fileOf(urlOf(listed.at(-1) ?? "")))).toContain(
      '<a class="next" href="/docs/api">',
    );
  });

  it("name the page that they are in the list", () => {
    const current = pages.filter(({ content }) => content.includes('aria-current="page"'));
    expect(pages.length - current.length).toBe(1);
  });

  it("are found by their text", () => {
    const index = [...site].find(([name]) => name.startsWith("assets/search-"))?.[1];
    const sections = JSON.parse(String(index)) as { id: string; text: string }[];
    expect(sections.length).toBeGreaterThan(100);
    expect(sections.filter(({ id }) => !isAlive("", id))).toEqual([]);
    const retries = sections.find(({ id }) => id === "/docs/guides/webhooks#when-a-delivery-fails");
    expect(retries?.text).toContain("30 minutes later");
  });

  it("show what is generated from the code's tables", () => {
    const shown = [...html.values()].join("");
    for (const text of [
      "number_in_active_order",
      "account_number_mismatch",
      "registration_certificate",
    ]) {
      expect(shown).toContain(`<code>${text}</code>`);
    }
    expect(shown).not.toContain("generated:");
    expect(shown).not.toContain("Made from the code");
    expect(() => withGenerated("<!-- generated: nothing -->")).toThrow("nothing");
  });

  it("say in their files where to read what is generated", () => {
    const files = SECTIONS.flatMap(({ pages }) => pages.map(({ file }) => file));
    const marked = files.flatMap((file) => {
      const [, ...rest] = readFileSync(join(projectRoot, file), "utf8").split("<!-- generated: ");
      return rest.map((text) => ({ file, next: text.split("\n")[2] }));
    });
    expect(marked.length).toBeGreaterThan(10);
    for (const { file, next } of marked)
      expect([file, next]).toEqual([file, placeholderOf(urlOf(file))]);
  });
});

describe("Markdown", () => {
  it("becomes headings with anchors by GitHub's rule", () => {
    expect(draw("## A `b.c` & d\n\n## A `b.c` & d")).toMatch(
      /<h2 id="a-bc--d">.*<h2 id="a-bc--d-1">/s,
    );
    expect([...anchorsOf("# Who may\n\n### 1. It's_done?\n")]).toEqual(["who-may", "1-its_done"]);
  });

  it("links to pages, and names files that are none", () => {
    expect(draw("[b](guides/b.md#x)")).toContain('<a href="/docs/guides/b#x">b</a>');
    expect(draw("[code](../services/api/main.ts)")).toContain(
      '<span class="source" title="In the repository: services/api/main.ts">code</span>',
    );
  });

  it("shows code as it is, with the name of its file and quiet comments", () => {
    expect(draw('```js file="a.mjs"\nif (a < b) {}\n```')).toContain(
      '<p class="file-name">a.mjs</p><pre tabindex="0"><code><span class="keyword">if</span> (a &lt; b) {}</code></pre>',
    );
    expect(draw("```sh\n# why\nrun\n```")).toContain('<span class="comment"># why</span>\nrun');
  });

  it("may have no HTML but comments", () => {
    expect(draw("a\n\n<!-- b -->\n\nc")).not.toContain("b");
    expect(() => draw("a <b>b</b>")).toThrow("docs/a.md has HTML");
    expect(() => draw("![a](images/none.png)")).toThrow("none.png");
  });

  it("has blocks with attributes, in lists too", () => {
    const [one, two] = codeBlocks(
      '```sh not-run="It needs Docker."\na\n```\n\n- b\n\n  ```js\n  c\n  ```\n',
    );
    expect(one).toEqual({
      language: "sh",
      attributes: { "not-run": "It needs Docker." },
      text: "a",
    });
    expect(two).toEqual({ language: "js", attributes: {}, text: "c" });
  });
});
