import { describe, expect, it } from "@jest/globals";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

const CONTRACT = join("docs", "contract");
const FOLDERS = ["services", "infra", "packages", "test", "examples", "schemas", "data", "docs"];
const TEXT = /\.(ts|js|mjs|py|md|avsc|json|html|css|yml)$/;

/** `(docs/contract/<file>.md, <Heading or table row>)`, or several of them separated by semicolons. */
const REFERENCE = /docs\/contract\/([a-z-]+\.md), ([^;)]+)(?=[;)])/g;
/** Any mention of a contract document, except in a string, which opens the file. */
const MENTION =
  /(?:docs\/contract\/[a-z-]+|\b(?:customer-api|desk-api|messages|interface-specification))\.md(?!")/g;

function read(name: string): string {
  return readFileSync(join(projectRoot, name), "utf8");
}

/** What a document can be cited by: its headings, the first cells of its table rows, and the bold start of a paragraph. */
function anchorsOf(document: string): ReadonlySet<string> {
  const found = [
    ...document.matchAll(/^#+ (.+)$/gm),
    ...document.matchAll(/^\| (.+?) \| /gm),
    ...document.matchAll(/^(?:- |\d+\. )?\*\*(.+?)[.:]?\*\*/gm),
  ].map(([, text = ""]) => text.replaceAll("`", ""));
  return new Set([...found, ...found.map((text) => text.replace(/ \(.*$/, ""))]);
}

const ANCHORS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  readdirSync(join(projectRoot, CONTRACT)).map((name) => [
    name,
    anchorsOf(read(join(CONTRACT, name))),
  ]),
);

/** A file's text with the lines of its comments joined, so that a reference may span two lines. */
function joined(name: string): string {
  return read(name).replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, " ");
}

const SOURCES = [
  "README.md",
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => TEXT.test(name) && !/node_modules|\.venv/.test(name))
      .map((name) => join(folder, name)),
  ).filter((name) => !name.startsWith(CONTRACT) && !name.includes("contract-references.test")),
];

/** The references of a text that the contract does not have. */
function deadReferences(text: string): string[] {
  return [...text.matchAll(REFERENCE)]
    .filter(([, name = "", anchor = ""]) => ANCHORS.get(name)?.has(anchor) !== true)
    .map(([reference]) => reference);
}

describe("a reference to the contract", () => {
  const texts = SOURCES.map((name) => ({ name, text: joined(name) }));
  const citing = texts.filter(({ text }) => text.match(MENTION) !== null);

  it("is found in many files", () => {
    expect(citing.length).toBeGreaterThan(20);
  });

  it.each(citing)("names an existing heading or table row: $name", ({ text }) => {
    expect(deadReferences(text)).toEqual([]);
    const links = text.match(/\]\((?:[./a-z]*\/)?contract\/[a-z-]+\.md\)/g) ?? [];
    const references = text.match(REFERENCE) ?? [];
    expect(text.match(MENTION)).toHaveLength(links.length + references.length);
  });

  it("is reported as dead where the heading, the row or the file does not exist", () => {
    const alive = "docs/contract/messages.md, Event envelope";
    const dead = [
      "docs/contract/messages.md, Made-up heading",
      "docs/contract/desk-api.md, GET /made-up",
      "docs/contract/made-up.md, Event envelope",
    ];
    expect(deadReferences(`(${[alive, ...dead].join("; ")})`)).toEqual(dead);
  });
});
