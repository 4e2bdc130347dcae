import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { isOpen, valueIn, type Filling } from "../client/fill-order.ts";
import type { PortingOrder, Requirement } from "../client/generated/api-types.ts";
import { CliError, EXIT_CODES, usageError } from "./errors.ts";

const LETTER = "loa";

export interface Given {
  /** Values by slug, which go before examples. */
  readonly values: ReadonlyMap<string, string>;
  /** Paths of documents by slug. */
  readonly files: ReadonlyMap<string, string>;
  /** The rest gets the catalogue's examples, sample documents and a signature: for a sandbox. */
  readonly withExamples: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** What an order is filled with: the user's own first, so that a wrong value stops it before an example is sent. */
export function fillingOf(given: Given): Filling {
  const { values, files, signal, onProgress } = given;
  return {
    choose: (order) => fieldsToFill(order, given),
    valueOf: (slug) => values.get(slug),
    documentOf: (asked, order) => documentFor(asked, order, given),
    onStep: (slug) => onProgress(stepText(slug, files)),
    signal,
  };
}

function stepText(slug: string | null, files: Given["files"]): string {
  if (slug === null) return "Waiting for the checks of the documents …";
  const isSigned = slug === LETTER && !files.has(slug);
  return isSigned ? "Signing the letter of authorization …" : `Filling ${slug} …`;
}

function fieldsToFill(
  { requirements }: PortingOrder,
  { values, files, withExamples }: Given,
): readonly Requirement[] {
  const slugs = new Set(requirements.map(({ slug }) => slug));
  const unknown = [...values.keys(), ...files.keys()].filter((slug) => !slugs.has(slug));
  if (unknown.length > 0) {
    throw usageError(`The order asks for ${[...slugs].join(", ")}; not for ${unknown.join(", ")}.`);
  }
  const isGiven = ({ slug }: Requirement): boolean => values.has(slug) || files.has(slug);
  const rest = requirements.filter(
    (one) => withExamples && !isGiven(one) && one.mandatory && isOpen(one),
  );
  return [...requirements.filter(isGiven), ...rest];
}

/** Null for a letter that is signed. */
async function documentFor(
  { slug, name }: Requirement,
  order: PortingOrder,
  { values, files }: Given,
): Promise<File | null> {
  const path = files.get(slug);
  if (path !== undefined) return fileAt(path);
  if (values.has(slug)) {
    throw usageError(`${slug} is a document: give it with --file ${slug}=<path>.`);
  }
  return slug === LETTER ? null : sampleDocument(name, slug, order, values);
}

async function fileAt(path: string): Promise<File> {
  try {
    return new File([new Uint8Array(await readFile(path))], basename(path));
  } catch {
    throw new CliError(`${path} cannot be read.`, EXIT_CODES.usage);
  }
}

/** A page that states what the desk compares. */
async function sampleDocument(
  title: string,
  slug: string,
  order: PortingOrder,
  values: Given["values"],
): Promise<File> {
  // Loaded here: printing is the only slow thing to load, and few commands print.
  const { printDocument } = await import("../../infra/demo/documents.ts");
  const text = (field: string): string => valueIn(order, field, (one) => values.get(one)) ?? "";
  const page = await printDocument({
    title,
    issuer: order.losing_carrier ?? "Example Telecom",
    holder: text("entity_name"),
    address: text("service_address"),
    accountNumber: text("account_number"),
    phoneNumbers: order.phone_numbers,
  });
  return new File([page], `${slug}.pdf`, { type: "application/pdf" });
}
