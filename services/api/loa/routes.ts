import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { CommandContext } from "../../domain/command/store/run-command.ts";
import {
  DOCUMENT_TYPES,
  documentFile,
  type Document,
} from "../../domain/document/rules/document.ts";
import { findDocument, insertDocument } from "../../domain/document/store/documents.ts";
import {
  LOA_SLUG,
  refusalOfSigning,
  type LoaSigning,
} from "../../domain/order/rules/decide-loa.ts";
import type { DecisionContext } from "../../domain/order/rules/effects.ts";
import { loaContentOf, type LoaContent } from "../../domain/order/rules/loa-content.ts";
import type { Actor, Order } from "../../domain/order/rules/order.ts";
import {
  applyToOrder,
  refusalError,
  type OrderAddress,
} from "../../domain/order/store/order-commands.ts";
import { findOrder, lockOwnOrder } from "../../domain/order/store/read-order.ts";
import {
  letterFormOf,
  LETTER_LANGUAGES,
  type LetterLanguage,
} from "../../domain/terms/rules/letter-terms.ts";
import { documentValue } from "../../domain/requirement/store/requirement-values.ts";
import { inTransaction, type Database, type Queryable } from "../../platform/db/transaction.ts";
import { AppError, type ErrorCode, type Fault } from "../../platform/errors.ts";
import { optionalOrNull } from "../../platform/http/body/fields.ts";
import { hashText, idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import { StalePreparation, type Preparing } from "../../platform/http/routing/preparing.ts";
import { created, type Reply } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { customerActor, GET, POST, type CustomerRoute } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { ownOrder } from "../orders/routes.ts";
import { checkTextLine } from "../requirements/check-value.ts";
import { requireDocumentRoom } from "../requirements/write-requirement.ts";
import type { Unsigned } from "./letter/loa-form.ts";
import type { PrintAnswer } from "./letter/render-loa.ts";
import { signerFaults } from "./signer.ts";
import { isPng, MAX_SIGNATURE_BYTES } from "./signature-image.ts";

const SIGNER = { format: "text", minLength: 1, maxLength: 128 } as const;
const MAX_BASE64_LENGTH = 4 * Math.ceil(MAX_SIGNATURE_BYTES / 3);

/** A single line of printable text, trimmed and in Unicode normal form. */
const line = z.string().transform((text, context) => {
  const checked = checkTextLine(SIGNER, text);
  if ("value" in checked) return checked.value;
  const { code, detail } = checked.fault;
  context.addIssue({ code: "custom", message: detail, params: { code } });
  return z.NEVER;
});

/** Bytes that start with a PNG signature; the worker thread that draws the image checks the rest. */
const picture = z
  .base64("It must be a PNG in base64, without a data: prefix.")
  .max(MAX_BASE64_LENGTH, `It may have at most ${MAX_BASE64_LENGTH} characters.`)
  .transform((text, context) => {
    const bytes = Buffer.from(text, "base64");
    if (isPng(bytes)) return bytes;
    context.addIssue({
      code: "custom",
      message: "It is not a PNG.",
      params: { code: "invalid_image" },
    });
    return z.NEVER;
  });

const language = z.enum(LETTER_LANGUAGES);
const LANGUAGE =
  "The language of the letter, where the country's carriers read it; their usual one otherwise";

const readQuery = z.strictObject({
  language: language.optional().describe(LANGUAGE),
  by_hand: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe("The letter without a signature and without a mark, to be signed by hand"),
});

const signBody = z
  .strictObject({
    signer_name: line.meta({
      description: "Who signs: one line of 1 to 128 characters, the authorized person of the order",
      examples: ["Grace Hopper"],
    }),
    signer_title: optionalOrNull(line).meta({
      description: "The signer's position, one line of 1 to 128 characters",
      examples: ["Director"],
    }),
    language: optionalOrNull(language).describe(LANGUAGE),
    signature_image: optionalOrNull(picture).meta({
      description: `A drawn signature: a PNG in base64, up to ${MAX_BASE64_LENGTH} characters`,
    }),
    consent: z
      .literal(true, "It must be true: the signer consents to sign electronically.")
      .describe("That the signer consents to sign electronically"),
  })
  .meta({ examples: [{ signer_name: "Grace Hopper", signer_title: "Director", consent: true }] });

const PATH = "/v2/porting_orders/:id/loa";

const signingAnswer = z
  .object({
    document_id: idText("The id of the signed PDF"),
    sha256: hashText("SHA-256 of the signed PDF, in hex"),
    signed_at: timeText("When it was signed"),
  })
  .meta({ id: "SignedLoa", description: "A signed letter of authorization" });

/** Read and sign the letter of authorization of an order. */
export function loaRoutes(deps: LetterDeps): CustomerRoute[] {
  return [readRoute(deps), signRoute(deps)];
}

function readRoute(deps: LetterDeps): CustomerRoute {
  return GET(PATH, "Read the letter of authorization: the signed one, or a preview", {
    operationId: "getLoa",
    description:
      "The signed or uploaded letter; before that a PDF with today's values, marked as unsigned. With `by_hand`, in any state, the letter to print, to sign by hand, where need be to stamp, and to upload: many carriers outside North America take no other.",
    answers: { 200: { mediaTypes: DOCUMENT_TYPES } },
    query: readQuery,
    find: ownOrder,
    noStore: true,
    produces: "*/*",
    prepare: async (request, preparing) => {
      const { db, principal, query } = request;
      const order = await ownOrder(request);
      const wished = query.language ?? null;
      if (query.by_hand === true) {
        return unsigned(deps, preparing, { order, wished, signature: "by_hand" });
      }
      const loa = order.requirements.find((requirement) => requirement.slug === LOA_SLUG);
      if (loa?.document_id == null) {
        return unsigned(deps, preparing, { order, wished, signature: "preview" });
      }
      const letter = await findDocument(db, principal.accountId, loa.document_id);
      return fileReply(await deps.files.open(letter.id), documentFile(letter, "inline"));
    },
    handle: ({ prepared }) => prepared,
  });
}

function signRoute(deps: LetterDeps): CustomerRoute {
  return POST(`${PATH}/sign`, "Sign the letter of authorization", {
    operationId: "signLoa",
    description:
      "Renders the letter as a PDF with holder, address, losing carrier and every number, signs it and sets the requirement `loa`. 409 `not_ready` names the values that it must state and that are missing.",
    answers: { 201: signingAnswer },
    refuses: ["invalid_state", "not_ready", "quota_exceeded"],
    find: ownOrder,
    body: signBody,
    prepare: ({ db, principal, params: { id }, body }, preparing) => {
      const { signer_name, signer_title = null, signature_image: image = null } = body;
      const { language: wished = null } = body;
      const address = { accountId: principal.accountId, orderId: id };
      const request = { signer_name, signer_title, image, wished };
      return prepareLetter(deps, preparing, { db, address, request });
    },
    handle: async ({ db, principal, params: { id }, prepared }) => {
      const address = { accountId: principal.accountId, orderId: id };
      const letter = { ...prepared, db, actor: customerActor(principal) };
      const { document_id, sha256, signed_at } = await signLetter(deps, address, letter);
      return created({ document_id, sha256, signed_at }, `/v2/documents/${document_id}`);
    },
  });
}

interface UnsignedLetter {
  readonly order: Order;
  readonly wished: LetterLanguage | null;
  readonly signature: Unsigned;
}

/** The letter filled in from the order's current values: marked as unsigned, or with room for a signature by hand. */
async function unsigned(
  { bus, printer, carrier, terms }: LetterDeps,
  preparing: Preparing,
  { order, wished, signature }: UnsignedLetter,
): Promise<Reply> {
  const content = loaContentOf(order);
  const form = letterFormOf(terms(order.country_code, order.provider), wished);
  const job = { content, carrier, form, signature, printedAt: bus.clock.now() };
  const answer = await printer.print(preparing, job);
  if (answer.kind !== "letter") throw new AppError("internal", "A preview has no signature.");
  const name = signature === "preview" ? "loa-preview" : "loa";
  return {
    status: 200,
    headers: { "Content-Disposition": `inline; filename="${name}-${order.id}.pdf"` },
    raw: { type: "application/pdf", content: answer.pdf },
  };
}

type LetterDeps = Pick<
  ApiDeps,
  "bus" | "files" | "printer" | "carrier" | "terms" | "maxUploadedBytes"
>;

/** A customer's request to sign; `image` is a PNG that is not checked yet. */
interface SignRequest {
  readonly signer_name: string;
  readonly signer_title: string | null;
  readonly image: Buffer | null;
  readonly wished: LetterLanguage | null;
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
async function prepareLetter(
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
async function signLetter(
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
  { bus, printer, carrier, terms }: LetterDeps,
  preparing: Preparing,
  { order, content, request }: LetterToMake,
): Promise<MadeLetter> {
  const { signer_name, signer_title, image, wished } = request;
  const signed_at = bus.clock.now();
  const signature = { signer_name, signer_title, signed_at, image };
  const answer = await printer.print(preparing, {
    content,
    carrier,
    form: letterFormOf(terms(order.country_code, order.provider), wished),
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

/** A signed letter whose file is already stored; who signed it and when. */
interface SignedLetter extends DecisionContext {
  /** The content of the letter. */
  readonly content: LoaContent;
  readonly signing: LoaSigning;
  readonly document: Document;
  /** What each page of the letter states. */
  readonly pageTexts: readonly string[];
}

/**
 * Stores a signed letter as requirement `loa`: document, decision, value and event in one transaction. Returns false and
 * writes nothing if the order no longer matches the letter, which must then be rendered again.
 * @throws `not_found`, `invalid_state`, `not_ready`
 */
async function storeSignedLoa(
  context: CommandContext,
  { accountId, orderId }: OrderAddress,
  { content, signing, document, pageTexts, ...decision }: SignedLetter,
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const locked = await lockOwnOrder(tx, accountId, orderId);
    if (!isDeepStrictEqual(loaContentOf(locked), content)) return false;
    await insertDocument(tx, document, pageTexts);
    const command = { command: "loa_signed", ...signing } as const;
    const stored = documentValue(signing.document_id, signing.signed_at);
    const rewritten = { slug: LOA_SLUG, stored };
    await applyToOrder({ ...context, tx }, locked, { command, rewritten, ...decision });
    return true;
  });
}
