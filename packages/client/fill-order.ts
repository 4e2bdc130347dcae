import { setTimeout as pause } from "node:timers/promises";
import { ConnectionError } from "./errors.ts";
import type {
  PortingOrder,
  Readiness,
  Requirement,
  SignLoaRequest,
} from "./generated/api-types.ts";
import type { Operations } from "./generated/operations.ts";

/** The letter of authorization, which states the other values. */
const LETTER = "loa";
const SIGNER = "auth_person_name";

const POLL_MS = 250;
const CHECKS_MS = 60_000;

/** What an order is filled with; what nothing is given for stays open. */
export interface Filling {
  /** Which requirements, in which order; those that are mandatory and open unless given. The letter is always last. */
  readonly choose?: (order: PortingOrder) => readonly Requirement[];
  /** The value of a requirement that is no document; where each number has its own, that of the number. */
  readonly valueFor: (asked: Requirement, phoneNumber?: string) => string | undefined;
  readonly documentFor: (asked: Requirement, order: PortingOrder) => Given | Promise<Given>;
  /** Signs a letter for which there is no document; the order's authorized person goes before the name. */
  readonly signer?: Pick<SignLoaRequest, "signer_name" | "signer_title">;
  /** Before each requirement, by its slug, and before the wait for the checks, null. */
  readonly onStep?: (slug: string | null) => void;
  /** How long the checks of documents may take; 60 s unless given. */
  readonly checksMs?: number;
  readonly signal?: AbortSignal;
}

type Given = File | null;

export interface FilledField {
  readonly slug: string;
  /** As the service shows it, a PIN masked; the name of a file, and of who signed. */
  readonly value: string;
}

export interface FilledOrder {
  readonly fields: readonly FilledField[];
  readonly readiness: Readiness;
}

/** Without a value, or with one that was found wrong; where each number has its own, with one such value. */
export function isOpen({ values, ...own }: Requirement): boolean {
  return (values ?? [own]).some(isValueOpen);
}

function isValueOpen({ field_value, status }: Pick<Requirement, "field_value" | "status">) {
  return field_value === null || status === "requirement-info-exception";
}

/**
 * Gives an order what it asks for, the letter's signature last, and waits until its documents are checked.
 * @throws ConnectionError where the checks take too long
 */
export async function fillOrder(
  client: Operations,
  orderId: string,
  filling: Filling,
): Promise<FilledOrder> {
  const { choose = openOf, onStep, signal } = filling;
  const order = await client.getPortingOrder(orderId, options(signal));
  const chosen = choose(order);
  const isLetter = ({ slug }: Requirement): boolean => slug === LETTER;
  const fields: FilledField[] = [];
  const given = new Map<string, string>();
  for (const asked of [...chosen.filter((one) => !isLetter(one)), ...chosen.filter(isLetter)]) {
    onStep?.(asked.slug);
    const value = await fillField(client, order, asked, { ...filling, given });
    if (value !== null) fields.push({ slug: asked.slug, value });
  }
  onStep?.(null);
  return { fields, readiness: await checkedReadiness(client, orderId, filling) };
}

/** What is mandatory and open. */
export function openOf({ requirements }: PortingOrder): readonly Requirement[] {
  return requirements.filter((one) => one.mandatory && isOpen(one));
}

const options = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/** Returns what the field has then; null where it was left open. */
async function fillField(
  client: Operations,
  order: PortingOrder,
  asked: Requirement,
  { valueFor, documentFor, signer, signal, given }: Filling & { given: Map<string, string> },
): Promise<string | null> {
  const { slug, field_type } = asked;
  if (field_type !== "document") {
    const body = bodyOf(asked, valueFor);
    if (body === null) return null;
    if (body.field_value !== undefined) given.set(slug, body.field_value);
    const kept = await client.updatePortingOrderRequirement(order.id, slug, body, options(signal));
    return (kept.values ?? [kept]).map(({ field_value }) => field_value ?? "").join(", ");
  }
  const file = await documentFor(asked, order);
  if (file !== null) {
    const body = { file, document_date: new Date().toISOString() };
    await client.updatePortingOrderRequirement(order.id, slug, body, options(signal));
    return file.name;
  }
  if (slug !== LETTER || signer === undefined) return null;
  const person = order.requirements.find((one) => one.slug === SIGNER);
  const kept = person === undefined || isOpen(person) ? null : person.field_value;
  const signer_name = given.get(SIGNER) ?? kept ?? signer.signer_name;
  const body = { ...signer, signer_name, consent: true as const };
  await client.signLoa(order.id, body, options(signal));
  return `signed by ${signer_name}`;
}

interface GivenValues {
  readonly field_value?: string;
  readonly field_values?: Readonly<Record<string, string>>;
}

/** Null where nothing is given. */
function bodyOf(asked: Requirement, valueFor: Filling["valueFor"]): GivenValues | null {
  if (asked.values === undefined) {
    const field_value = valueFor(asked);
    return field_value === undefined ? null : { field_value };
  }
  const open = asked.values.filter(isValueOpen);
  const given = (open.length === 0 ? asked.values : open).flatMap(
    ({ phone_number: number, example }) => {
      const value = valueFor(example === undefined ? asked : { ...asked, example }, number);
      return value === undefined ? [] : [[number, value] as const];
    },
  );
  return given.length === 0 ? null : { field_values: Object.fromEntries(given) };
}

/** The readiness once no document is being checked any more. */
async function checkedReadiness(
  client: Operations,
  orderId: string,
  { checksMs = CHECKS_MS, signal }: Filling,
): Promise<Readiness> {
  const until = performance.now() + checksMs;
  for (;;) {
    const readiness = await client.getPortingOrderReadiness(orderId, options(signal));
    if (!readiness.blocking.some(({ code }) => code === "checking")) return readiness;
    if (performance.now() > until) {
      throw new ConnectionError(
        `The checks of the documents were not done after ${checksMs / 1_000} s.`,
      );
    }
    await pause(POLL_MS, undefined, options(signal));
  }
}
