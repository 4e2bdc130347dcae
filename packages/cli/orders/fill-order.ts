import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { PortingOrder, Readiness, Requirement } from "../../client/generated/api-types.ts";
import type { PortingClient } from "../../client/porting-client.ts";
import { CliError, EXIT_CODES, usageError } from "../errors.ts";
import { pollUntil } from "../poll-until.ts";

const LETTER = "loa";
const SIGNER = "auth_person_name";
const ANY_SIGNER = "Grace Hopper";
/** How long the checks of documents may take. */
const CHECKS_MS = 60_000;

export interface FillOptions {
  /** Values by slug, which go before examples. */
  readonly values: ReadonlyMap<string, string>;
  /** Paths of documents by slug. */
  readonly files: ReadonlyMap<string, string>;
  /** The rest gets the catalogue's examples, sample documents and a signature: for a sandbox. */
  readonly withExamples: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface FilledField {
  readonly slug: string;
  readonly value: string;
}

export interface FilledOrder {
  readonly fields: readonly FilledField[];
  readonly readiness: Readiness;
}

/**
 * Gives an order what it still asks for: the user's own values first, so that a wrong one stops it before an example is
 * sent, and the signature last, because the letter states the rest; waits for the checks.
 */
export async function fillOrder(
  client: PortingClient,
  orderId: string,
  options: FillOptions,
): Promise<FilledOrder> {
  const order = await client.getPortingOrder(orderId);
  const fields: FilledField[] = [];
  for (const one of fieldsToFill(order.requirements, options)) {
    options.onProgress(`Filling ${one.slug} …`);
    fields.push({ slug: one.slug, value: await fillField(client, { order, one, options }) });
  }
  if (needsSignature(order, options)) {
    options.onProgress("Signing the letter of authorization …");
    const signer_name = valueOf(order, SIGNER, options) ?? ANY_SIGNER;
    await client.signLoa(orderId, { signer_name, consent: true });
    fields.push({ slug: LETTER, value: `signed by ${signer_name}` });
  }
  return { fields, readiness: await checkedReadiness(client, orderId, options) };
}

function fieldsToFill(
  requirements: readonly Requirement[],
  { values, files, withExamples }: FillOptions,
): Requirement[] {
  const slugs = new Set(requirements.map(({ slug }) => slug));
  const unknown = [...values.keys(), ...files.keys()].filter((slug) => !slugs.has(slug));
  if (unknown.length > 0) {
    throw usageError(`The order asks for ${[...slugs].join(", ")}; not for ${unknown.join(", ")}.`);
  }
  const isGiven = ({ slug }: Requirement): boolean => values.has(slug) || files.has(slug);
  const given = requirements.filter(isGiven);
  const rest = requirements.filter(
    (one) => withExamples && !isGiven(one) && one.slug !== LETTER && one.mandatory && isOpen(one),
  );
  const isLetter = ({ slug }: Requirement): boolean => slug === LETTER;
  return [...given.filter((one) => !isLetter(one)), ...rest, ...given.filter(isLetter)];
}

/** It has no value, or one that was found wrong. */
function isOpen({ field_value, status }: Requirement): boolean {
  return field_value === null || status === "requirement-info-exception";
}

function needsSignature({ requirements }: PortingOrder, options: FillOptions): boolean {
  const letter = requirements.find(({ slug }) => slug === LETTER);
  const isOurs = options.withExamples && !options.files.has(LETTER);
  return isOurs && letter !== undefined && isOpen(letter);
}

interface Field {
  readonly order: PortingOrder;
  readonly one: Requirement;
  readonly options: FillOptions;
}

async function fillField(client: PortingClient, field: Field): Promise<string> {
  const { order, one, options } = field;
  if (one.field_type !== "document") {
    const field_value = options.values.get(one.slug) ?? one.example ?? "";
    const kept = await client.updatePortingOrderRequirement(order.id, one.slug, { field_value });
    // As the service shows it: a PIN or an account number masked.
    return kept.field_value ?? "";
  }
  const path = options.files.get(one.slug);
  if (path === undefined && options.values.has(one.slug)) {
    throw usageError(`${one.slug} is a document: give it with --file ${one.slug}=<path>.`);
  }
  const file = path === undefined ? await sampleDocument(field) : await fileAt(path);
  const document_date = new Date().toISOString();
  await client.updatePortingOrderRequirement(order.id, one.slug, { file, document_date });
  return file.name;
}

async function fileAt(path: string): Promise<File> {
  try {
    return new File([new Uint8Array(await readFile(path))], basename(path));
  } catch {
    throw new CliError(`${path} cannot be read.`, EXIT_CODES.usage);
  }
}

/** A page that states what the desk compares. */
async function sampleDocument({ order, one, options }: Field): Promise<File> {
  // Loaded here: printing is the only slow thing to load, and few commands print.
  const { printDocument } = await import("../../../infra/demo/documents.ts");
  const text = (slug: string): string => valueOf(order, slug, options) ?? "";
  const page = await printDocument({
    title: one.name,
    issuer: order.losing_carrier ?? "Example Telecom",
    holder: text("entity_name"),
    address: text("service_address"),
    accountNumber: text("account_number"),
    phoneNumbers: order.phone_numbers,
  });
  return new File([page], `${one.slug}.pdf`, { type: "application/pdf" });
}

/** The value that the order has or gets. */
function valueOf(
  { requirements }: PortingOrder,
  slug: string,
  options: FillOptions,
): string | null {
  const one = requirements.find((requirement) => requirement.slug === slug);
  if (one === undefined) return null;
  const kept = isOpen(one) ? null : one.field_value;
  return options.values.get(slug) ?? kept ?? one.example ?? null;
}

/** The readiness once no document is being checked any more. */
function checkedReadiness(
  client: PortingClient,
  orderId: string,
  { signal, onProgress }: FillOptions,
): Promise<Readiness> {
  onProgress("Waiting for the checks of the documents …");
  return pollUntil(
    async () => {
      const readiness = await client.getPortingOrderReadiness(orderId);
      return readiness.blocking.some(({ code }) => code === "checking") ? null : readiness;
    },
    { timeoutMs: CHECKS_MS, what: "the checks of the documents", ...(signal && { signal }) },
  );
}
