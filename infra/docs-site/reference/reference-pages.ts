import {
  componentOf,
  parametersOf,
  type ApiDocument,
  type CustomerOperation,
  type Schema,
} from "../../client/document.ts";
import { referencesOf } from "../../client/client-files.ts";
import { markdownTable } from "../generated/limit-tables.ts";
import { createAnchors } from "../headings.ts";
import { urlOf } from "../navigation.ts";
import { fieldTable, hasFields, resolved, typeText, type Shapes } from "./field-rows.ts";
import { sampleCalls, type SampleNames } from "./sample-calls.ts";

/** An API, and where its reference stands. */
export interface Reference {
  /** The first of its pages as if it were a file, `docs/api.md`; that of a group is below it. */
  readonly file: string;
  readonly label: string;
  readonly document: ApiDocument;
  readonly names: SampleNames;
  /** Markdown: how the address and the key of the samples are called. */
  readonly intro: string;
}

export interface ReferencePage {
  readonly file: string;
  readonly label: string;
  readonly markdown: string;
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly operations: readonly CustomerOperation[];
}

/** Errors have one shape, which the first page explains. */
const ERRORS = ["Problem", "Fault"];
const FOLDED_LINES = 25;

/** The first page, which lists the operations, and one for each group of them with the shapes that it uses first. */
export function referencePages(reference: Reference): ReferencePage[] {
  const { file, label, document } = reference;
  const groups = groupsOf(reference);
  const { schemas } = document.components;
  const homes = new Map(ERRORS.map((name) => [name, `${urlOf(file)}#${anchorOf(name)}`]));
  const shapesOf = new Map(groups.map((group) => [group, newShapes(reference, group, homes)]));
  const shapes: Shapes = { schemas, homes };
  return [
    { file, label, markdown: firstPage(reference, groups, shapes) },
    ...groups.map((group) => {
      const own = shapesOf.get(group) ?? [];
      const markdown = [
        `# ${group.name}`,
        group.description,
        ...group.operations.map((operation) => chapter(reference, operation, shapes)),
        ...(own.length === 0 ? [] : ["## Shapes", ...own.map((name) => shapeText(shapes, name))]),
      ].join("\n\n");
      return { file: group.file, label: group.name, markdown };
    }),
  ];
}

function groupsOf({ file, document: { tags, paths } }: Reference): Group[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): CustomerOperation => {
      return { ...operation, path, method: method.toUpperCase() };
    }),
  );
  return tags
    .map(({ name, description }) => ({
      name,
      description,
      file: file.replace(/\.md$/, `/${name.toLowerCase().replaceAll(" ", "-")}.md`),
      operations: operations.filter(({ tags: [tag] = [] }) => tag === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function anchorOf(heading: string): string {
  return createAnchors()(heading);
}

/** Gives the objects that this group's answers are the first to use their place on its page. */
function newShapes(
  { document }: Reference,
  { operations, file }: Group,
  homes: Map<string, string>,
) {
  const { schemas } = document.components;
  const found: string[] = [];
  const visit = (schema: Schema): void => {
    for (const name of referencesOf(schema)) {
      const shape = schemas[name];
      if (homes.has(name) || shape === undefined) continue;
      if (hasFields(shape) && !isInline(name)) {
        homes.set(name, `${urlOf(file)}#${anchorOf(name)}`);
        found.push(name);
      }
      visit(shape);
    }
  };
  for (const { responses, requestBody } of operations) {
    const contents = [...Object.values(responses), requestBody].map((one) => one?.content ?? {});
    contents.flatMap((one) => Object.values(one)).forEach(({ schema }) => visit(schema));
  }
  return found.toSorted();
}

/** What one operation takes, and a page of a list, stand where they are used. */
function isInline(name: string): boolean {
  return /Request$|List$/.test(name);
}

function shapeText(shapes: Shapes, name: string): string {
  const { description = "" } = shapes.schemas[name] ?? {};
  return `### \`${name}\`\n\n${description}.\n\n${fieldTable(shapes, shapes.schemas[name] ?? {})}`;
}

function firstPage(
  { label, document, intro }: Reference,
  groups: readonly Group[],
  shapes: Shapes,
): string {
  const lists = groups.map(({ name, description, file, operations }) => {
    const anchors = createAnchors();
    anchors(name);
    const rows = operations.map(({ method, path, summary }) => [
      `\`${method} ${path}\``,
      `[${summary}](${urlOf(file)}#${anchors(summary)})`,
    ]);
    return `## [${name}](${urlOf(file)})\n\n${description}\n\n${markdownTable(["Request", "What it does"], rows)}`;
  });
  const errors = `## Errors\n\nEvery refusal is \`application/problem+json\` with one of [these codes](/docs/guides/errors).`;
  const shape = ERRORS.map((name) => shapeText(shapes, name));
  return [`# ${label}`, document.info.description, intro, ...lists, errors, ...shape].join("\n\n");
}

function chapter(
  { document, names }: Reference,
  operation: CustomerOperation,
  shapes: Shapes,
): string {
  const { method, path, summary, description } = operation;
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    ...(description === undefined || description === `${summary}.` ? [] : [description]),
    ...parameterText(operation, shapes),
    ...bodyText(operation, shapes),
    ...sampleCalls(document, operation, names).map(
      (samples) =>
        `\`\`\`\`tabs\n${samples.map(({ label, language, text }) => `=== ${label} ${language}\n${text}`).join("\n")}\n\`\`\`\``,
    ),
    ...answerText(operation, shapes),
  ].join("\n\n");
}

function parameterText(operation: CustomerOperation, shapes: Shapes): string[] {
  const rows = ["path", "query", "header"].flatMap((kind) =>
    parametersOf(operation, kind).map(({ name = "", required, description = "", schema = {} }) => [
      `\`${name}\``,
      `${kind}: ${typeText(shapes, schema)}${required === true ? "" : ", optional"}`,
      description,
    ]),
  );
  return rows.length === 0 ? [] : [markdownTable(["Parameter", "Where and what", "Meaning"], rows)];
}

function bodyText({ requestBody }: CustomerOperation, shapes: Shapes): string[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => [
    `**Body**, \`${type}\`${requestBody?.required === true ? "" : ", optional"}:`,
    hasFields(resolved(shapes, schema))
      ? fieldTable(shapes, schema)
      : `${typeText(shapes, schema)}.`,
  ]);
}

function answerText({ responses }: CustomerOperation, shapes: Shapes): string[] {
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const bad = Object.entries(responses).filter(([status]) => !status.startsWith("2"));
  const rows = bad.map(([status, { description = "" }]) => [status, description]);
  return [
    ...good.flatMap(([status, { description = "", content = {} }]) => {
      const types = Object.keys(content).filter((type) => type !== "application/json");
      const json = content["application/json"];
      const shape = json === undefined ? [] : [answerShape(shapes, json.schema)];
      const parts = [...shape, ...types.map((type) => `\`${type}\``)];
      const text = `**${status}** ${description}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}.`;
      return [text, ...(json?.example === undefined ? [] : [example(json.example)])];
    }),
    ...(rows.length === 0 ? [] : [markdownTable(["Error", "Codes"], rows)]),
  ];
}

/** A page of a list is told by its items. */
function answerShape(shapes: Shapes, schema: Schema): string {
  const { data } = resolved(shapes, schema).properties ?? {};
  const name = componentOf(schema);
  const isList = name !== null && !shapes.homes.has(name) && data?.items !== undefined;
  return isList
    ? `\`data\` with a ${typeText(shapes, data)}, and \`has_more\``
    : typeText(shapes, schema);
}

function example(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const folded = text.split("\n").length > FOLDED_LINES ? 'folded="Example"' : 'sample=""';
  return `\`\`\`json ${folded}\n${text}\n\`\`\``;
}
