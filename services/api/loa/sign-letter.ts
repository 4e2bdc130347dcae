import { createHash } from "node:crypto";
import type { Document } from "../../domain/document/rules/document.ts";
import {
  LOA_SLUG,
  refusalOfSigning,
  type LoaSigning,
} from "../../domain/order/rules/decide-loa.ts";
import { loaContentOf, type LoaContent } from "../../domain/order/rules/loa-content.ts";
import type { Actor, Order } from "../../domain/order/rules/order.ts";
import { refusalError, type OrderAddress } from "../../domain/order/store/order-commands.ts";
import { findOrder } from "../../domain/order/store/read-order.ts";
import type { Database, Queryable } from "../../platform/db/transaction.ts";
import { AppError, type ErrorCode, type Fault } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { StalePreparation, type Preparing } from "../../platform/http/routing/preparing.ts";
import type { ApiDeps } from "../api-deps.ts";
import { requireDocumentRoom } from "../documents/document-quota.ts";
import type { PrintAnswer } from "./letter/print-loa.ts";
import { storeSignedLoa } from "./store/store-signed-loa.ts";

const AUTHORIZED_PERSON_SLUG = "auth_person_name";

/** Compares base letters: case and accents do not count. */
const COLLATOR = new Intl.Collator("und", { sensitivity: "base" });

/** The dotless i is a letter of its own to the collator, but its capital is the plain one: Kılıç is KILIÇ. */
function folded(name: string): string {
  return name.replaceAll(/\s+/gu, "").replaceAll("ı", "i");
}

/** Whether two names are one person's; case, spaces and accents do not count. */
export function isSameName(one: string, other: string): boolean {
  return COLLATOR.compare(folded(one), folded(other)) === 0;
}

/** The person who must sign the order's letter; null if the order asks for none, or has no name yet. */
export function authorizedSignerOf({ requirements }: Order): string | null {
  const named = requirements.find(({ slug }) => slug === AUTHORIZED_PERSON_SLUG);
  return named?.shown_value ?? null;
}

export type LetterDeps = Pick<
  ApiDeps,
  "bus" | "files" | "printer" | "carrier" | "maxUploadedBytes"
>;

/** A customer's request to sign; `image` is a PNG that is not checked yet. */
interface SignRequest {
  readonly signer_name: string;
  readonly signer_title: string | null;
  readonly image: Buffer | null;
}

interface LetterRequest {
  readonly db: Queryable;
  readonly address: OrderAddress;
  readonly request: SignRequest;
}

/** A letter whose file lies in the store, and the values that it states. */
interface PreparedLetter {
  readonly content: LoaContent;
  readonly signing: LoaSigning;
  readonly document: Document;
  readonly pageTexts: readonly string[];
}

/**
 * Renders the letter with the order's current values, and stores its file before anything is committed.
 * @throws `not_found`, `invalid_state`, `not_ready`, `validation_failed`, `rate_limited`, `unavailable`, `quota_exceeded`
 */
export async function prepareLetter(
  deps: LetterDeps,
  preparing: Preparing,
  { db, address, request }: LetterRequest,
): Promise<PreparedLetter> {
  const { files } = deps;
  const order = await findOrder(db, address.accountId, address.orderId);
  // A letter is far smaller than what each document counts at least.
  await requireDocumentRoom({ ...deps, db }, address.accountId, 0);
  const content = loaContentOf(order);
  const letter = await makeLetter(deps, preparing, { order, content, request });
  await files.write(letter.signing.document_id, letter.pdf);
  const { signing, pageTexts } = letter;
  return { content, signing, document: documentOf(address, letter), pageTexts };
}

/**
 * Signs an order with a prepared letter.
 * @throws `StalePreparation` where the order is not what the letter states any more; `not_found`, `invalid_state`,
 *   `not_ready`
 */
export async function signLetter(
  { bus, files }: LetterDeps,
  address: OrderAddress,
  { db, actor, ...letter }: PreparedLetter & { readonly db: Database; readonly actor: Actor },
): Promise<LoaSigning> {
  const { signing } = letter;
  const signed = { ...letter, actor, now: bus.clock.now() };
  try {
    if (await storeSignedLoa({ ...bus, db }, address, signed)) return signing;
  } catch (error) {
    // After any other error the transaction may still have been committed, so the file is left to the sweep.
    if (isRefusal(error)) await files.remove(signing.document_id);
    throw error;
  }
  await files.remove(signing.document_id);
  throw new StalePreparation();
}

const REFUSALS: readonly ErrorCode[] = ["not_found", "invalid_state", "not_ready"];

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && REFUSALS.includes(error.code);
}

interface MadeLetter {
  readonly pdf: Buffer;
  readonly pageTexts: readonly string[];
  readonly signing: LoaSigning;
}

function documentOf({ accountId, orderId }: OrderAddress, { pdf, signing }: MadeLetter): Document {
  return {
    id: signing.document_id,
    account_id: accountId,
    order_id: orderId,
    slug: LOA_SLUG,
    content_type: "application/pdf",
    size_bytes: pdf.length,
    sha256: signing.sha256,
    created_at: signing.signed_at,
  };
}

interface LetterToMake {
  readonly order: Order;
  readonly content: LoaContent;
  readonly request: SignRequest;
}

/** Printed before the order's state is judged: only the printer finds every fault of the request. */
async function makeLetter(
  { bus, printer, carrier }: LetterDeps,
  preparing: Preparing,
  { order, content, request }: LetterToMake,
): Promise<MadeLetter> {
  const { signer_name, signer_title, image } = request;
  const signed_at = bus.clock.now();
  const signature = { signer_name, signer_title, signed_at, image };
  const answer = await printer.print(preparing, {
    content,
    carrier,
    signature,
    printedAt: signed_at,
  });
  const faults = [...signerFaults(order, signer_name), ...faultsOf(answer)];
  if (answer.kind === "bad_image" || faults.length > 0) throw invalid(faults);
  const refusal = refusalOfSigning(order);
  if (refusal !== null) throw refusalError(refusal);
  refuseUnprintable(answer.unprintable);
  const { pdf, pageTexts } = answer;
  const sha256 = createHash("sha256").update(pdf).digest("hex");
  const signing = { document_id: newId(signed_at), sha256, signer_name, signed_at };
  return { pdf, pageTexts, signing };
}

/**
 * A letter signed by another than the authorized person would be rejected by the losing carrier. The name that was
 * compared is the one that the letter states, so a change meanwhile makes the preparation stale.
 */
function signerFaults(order: Order, signerName: string): Fault[] {
  const authorized = authorizedSignerOf(order);
  if (authorized === null || isSameName(authorized, signerName)) return [];
  const detail = `The order names ${authorized} as the authorized person: sign with that name, or change auth_person_name first.`;
  return [{ pointer: "#/signer_name", code: "signer_mismatch", detail }];
}

const OF_REQUEST: ReadonlySet<string> = new Set(["signer_name", "signer_title"]);

function invalid(faults: readonly Fault[]): AppError {
  const detail = "The letter cannot be signed with the values sent.";
  return new AppError("validation_failed", detail, { faults });
}

const UNPRINTABLE =
  "The letter cannot show every character of this value: it has Latin, Greek, Cyrillic, Armenian and Georgian letters, with the accents that Unicode joins to them. Upload your own letter instead.";

/** What the printer finds wrong with the request itself. */
function faultsOf(answer: PrintAnswer): Fault[] {
  const sent = answer.unprintable.filter((slug) => OF_REQUEST.has(slug));
  const faults = sent.map((slug) => {
    return { pointer: `#/${slug}`, code: "invalid_characters", detail: UNPRINTABLE };
  });
  if (answer.kind !== "bad_image") return faults;
  return [...faults, { pointer: "#/signature_image", ...answer.fault }];
}

/** A letter that shows a name with missing characters has no legal value, so it is not signed. */
function refuseUnprintable(slugs: readonly string[]): void {
  const faults = slugs.map((slug) => {
    return { pointer: `#/requirements/${slug}`, code: "unprintable", detail: UNPRINTABLE };
  });
  if (faults.length === 0) return;
  throw new AppError("not_ready", "The letter cannot show some of its values.", { faults });
}
