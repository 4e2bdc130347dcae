import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "@jest/globals";
import { Operations } from "../../../packages/client/generated/operations.ts";
import { codeBlocks } from "../code-blocks.ts";
import { referencePages } from "./reference-pages.ts";
import { REFERENCES } from "./references.ts";

const ONE_MEBIBYTE = 1_048_576;

const drawn = REFERENCES.map((reference) => ({ reference, pages: referencePages(reference) }));
const pages = drawn.flatMap((one) => one.pages);
const samples = pages.flatMap(({ markdown }) =>
  codeBlocks(markdown)
    .filter(({ language }) => language === "tabs")
    .map(({ text }) => text),
);

/** A sample's part in one language. */
function partOf(sample: string, label: string): string {
  return new RegExp(`=== ${label} \\w+\\n([^]*?)(?=\\n=== |$)`).exec(sample)?.[1] ?? "";
}

describe("the reference", () => {
  it.each(drawn)("has each operation once: $reference.label", ({ reference, pages: own }) => {
    const { paths } = reference.document;
    const wanted = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``),
    );
    const [, ...groups] = own;
    const shown = groups.flatMap(({ markdown }) => markdown.match(/^`[A-Z]+ \/\S+`$/gm) ?? []);
    expect(shown.toSorted()).toEqual(wanted.toSorted());
  });

  it("has pages of a size that a phone can load", () => {
    expect(pages.filter(({ markdown }) => markdown.length > ONE_MEBIBYTE)).toEqual([]);
  });

  it("calls each operation by curl, by the client's own method, and from Python", () => {
    const methods = Object.getOwnPropertyNames(Operations.prototype);
    const called = samples
      .map((sample) => partOf(sample, "TypeScript"))
      .filter((text) => text !== "");
    for (const text of called) {
      expect(stripTypeScriptTypes(text)).toBe(text);
      expect(text).toMatch(/^import .*PortingClient.*const porting = new PortingClient\(/s);
      expect(methods).toContain(/porting\.(\w+)\(/.exec(text)?.[1]);
    }
    expect(new Set(called.map((text) => /porting\.(\w+)\(/.exec(text)?.[1])).size).toBe(
      methods.length - 1,
    );
    expect(samples.filter((sample) => partOf(sample, "curl") === "")).toEqual([]);
    expect(samples.filter((sample) => partOf(sample, "Python") === "")).toEqual([]);
  });

  it("sends the example of a body in each language's own words", () => {
    const close = samples.find((sample) => sample.includes("porting.updateNumber(")) ?? "";
    expect(partOf(close, "Python")).not.toMatch(/: (?:true|false|null)\b/);
    const upload = samples.find((sample) => partOf(sample, "curl").includes("-F file=@")) ?? "";
    expect(partOf(upload, "TypeScript")).toContain('file: await openAsBlob("invoice.pdf"),');
    expect(partOf(upload, "Python")).toContain('files={"file": open("invoice.pdf", "rb")}');
  });

  it("shows the fields of an answer where its shape stands, and links to it from elsewhere", () => {
    const orders = pages.find(({ file }) => file === "docs/api/porting-orders.md")?.markdown ?? "";
    expect(orders).toContain("### `PortingOrder`");
    expect(orders).toMatch(/^\| `foc_actual` \| time or null \| The port date/m);
    expect(orders).toMatch(/^\| `status` \| `draft`, `in_review`.* or another \|/m);
    expect(orders).toMatch(/^\| `requirements` \| list of \[`Requirement`\]\(\/docs\/api\//m);
    expect(orders).toMatch(/^\| `customer_reference` \| text or null, optional \|/m);
  });
});
