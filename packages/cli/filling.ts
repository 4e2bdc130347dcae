import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { isOpen, openOf, type Filling } from "../client/fill-order.ts";
import type { PortingOrder, Requirement } from "../client/generated/api-types.ts";
import { CliError, EXIT_CODES, usageError } from "./errors.ts";

const LETTER = "loa";

export interface Given {
  /** Values by slug, or by slug and number as in `rio_code+33612345678`, which go before examples. */
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
  const { files, signal, onProgress } = given;
  return {
    choose: (order) => fieldsToFill(order, given),
    valueFor: (asked, number) => valueFor(asked, number, given),
    documentFor: (asked, order) => documentFor(asked, order, given),
    onStep: (slug) => onProgress(stepText(slug, files)),
    signer: { signer_name: "Grace Hopper" },
    signal,
  };
}

function valueFor(
  { slug, example }: Requirement,
  number: string | undefined,
  { values, withExamples }: Given,
) {
  const own = number === undefined ? undefined : values.get(slug + number);
  return own ?? values.get(slug) ?? (withExamples ? example : undefined);
}

function stepText(slug: string | null, files: Given["files"]): string {
  if (slug === null) return "Waiting for the checks of the documents …";
  const isSigned = slug === LETTER && !files.has(slug);
  return isSigned ? "Signing the letter of authorization …" : `Filling ${slug} …`;
}

function fieldsToFill(
  order: PortingOrder,
  { values, files, withExamples }: Given,
): readonly Requirement[] {
  const { requirements } = order;
  const slugs = new Set(requirements.map(({ slug }) => slug));
  const keysOf = ({ slug, values: own = [] }: Requirement): string[] => [
    slug,
    ...own.map(({ phone_number: number }) => slug + number),
  ];
  const keys = new Set(requirements.flatMap(keysOf));
  const unknown = [...values.keys(), ...files.keys()].filter((key) => !keys.has(key));
  if (unknown.length > 0) {
    throw usageError(`The order asks for ${[...slugs].join(", ")}; not for ${unknown.join(", ")}.`);
  }
  const isGiven = (one: Requirement): boolean =>
    files.has(one.slug) || keysOf(one).some((key) => values.has(key));
  const rest = withExamples ? openOf(order).filter((one) => !isGiven(one)) : [];
  // What is given anew is written, though the number has a value.
  const isAnew = (slug: string, number: string): boolean =>
    values.has(slug) || values.has(slug + number);
  const emptied = ({ values: own, ...one }: Requirement): Requirement =>
    own === undefined
      ? one
      : {
          ...one,
          values: own.map((value) =>
            isAnew(one.slug, value.phone_number) ? { ...value, field_value: null } : value,
          ),
        };
  return [...requirements.filter(isGiven).map(emptied), ...rest];
}

/** Null for a letter that is signed. */
async function documentFor(
  asked: Requirement,
  order: PortingOrder,
  given: Given,
): Promise<File | null> {
  const { slug } = asked;
  const path = given.files.get(slug);
  if (path !== undefined) return fileAt(path);
  if (given.values.has(slug)) {
    throw usageError(`${slug} is a document: give it with --file ${slug}=<path>.`);
  }
  return slug === LETTER ? null : sampleDocument(asked, order, given);
}

export async function fileAt(path: string): Promise<File> {
  try {
    return new File([new Uint8Array(await readFile(path))], basename(path));
  } catch {
    throw new CliError(`${path} cannot be read.`, EXIT_CODES.usage);
  }
}

/** A page that states what the desk compares. */
async function sampleDocument(
  { slug, name: title }: Requirement,
  order: PortingOrder,
  given: Given,
): Promise<File> {
  // Loaded here: printing is the only slow thing to load, and few commands print.
  const { printDocument } = await import("../../infra/demo/documents.ts");
  const text = (field: string): string => {
    const one = order.requirements.find((requirement) => requirement.slug === field);
    if (one === undefined) return "";
    const kept = isOpen(one) ? null : one.field_value;
    return given.values.get(field) ?? kept ?? one.example ?? "";
  };
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
