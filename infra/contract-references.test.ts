import { describe, expect, it } from "@jest/globals";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-root.ts";

const CONTRACT = join("docs", "contract");
const FOLDERS = ["services", "infra", "test", "examples", "schemas", "data", "docs"];
const TEXT = /\.(ts|js|mjs|py|md|avsc|json|html|css|yml)$/;

/** `(docs/contract/<file>.md, <Heading or table row>)`, or several of them with semicolons between. */
const REFERENCE = /docs\/contract\/([a-z-]+\.md), ([^;)]+)(?=[;)])/g;
/** However somebody names a document of the contract; a path in a string opens it. */
const MENTION =
  /(?:docs\/contract\/[a-z-]+|\b(?:customer-api|desk-api|messages|interface-specification))\.md(?!")/g;

function read(name: string): string {
  return readFileSync(join(projectRoot, name), "utf8");
}

/** What a document can be cited by: its headings, the first cells of its tables' rows, and what a paragraph is led by. */
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

/** A file's text with its comments' lines joined, so that a reference may go over the end of one. */
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

/** The references of a text that lead nowhere in the contract. */
function deadReferences(text: string): string[] {
  return [...text.matchAll(REFERENCE)]
    .filter(([, name = "", anchor = ""]) => ANCHORS.get(name)?.has(anchor) !== true)
    .map(([reference]) => reference);
}

describe("a reference to the contract", () => {
  const texts = SOURCES.map((name) => ({ name, text: joined(name) }));
  const citing = texts.filter(({ text }) => text.match(MENTION) !== null);

  it("is made in many places", () => {
    expect(citing.length).toBeGreaterThan(20);
  });

  it.each(citing)("leads to a heading or a table row that is there: $name", ({ text }) => {
    expect(deadReferences(text)).toEqual([]);
    const links = text.match(/\]\((?:[./a-z]*\/)?contract\/[a-z-]+\.md\)/g) ?? [];
    const references = text.match(REFERENCE) ?? [];
    expect(text.match(MENTION)).toHaveLength(links.length + references.length);
  });

  it("is found to be dead where the heading, the row or the file is not there", () => {
    const alive = "docs/contract/messages.md, Event envelope";
    const dead = [
      "docs/contract/messages.md, Made-up heading",
      "docs/contract/desk-api.md, GET /made-up",
      "docs/contract/made-up.md, Event envelope",
    ];
    expect(deadReferences(`(${[alive, ...dead].join("; ")})`)).toEqual(dead);
  });
});
