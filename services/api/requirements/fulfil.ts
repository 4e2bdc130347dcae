import { isDeepStrictEqual } from "node:util";
import type { CommandContext, WriteAlso } from "../../domain/command/store/run-command.ts";
import type { Document, StoredDocument } from "../../domain/document/rules/document.ts";
import { findUploads, insertDocuments, noteUses } from "../../domain/document/store/documents.ts";
import { LOA_SLUG, type LoaSigning } from "../../domain/order/rules/decide-loa.ts";
import { decide, type OrderCommand } from "../../domain/order/rules/decide.ts";
import type { DecisionContext } from "../../domain/order/rules/effects.ts";
import {
  loaContentOf,
  missingForLoa,
  type LoaContent,
} from "../../domain/order/rules/loa-content.ts";
import { SYSTEM_ACTOR, type Order } from "../../domain/order/rules/order.ts";
import {
  applyToOrder,
  refusalError,
  type OrderAddress,
  type RewrittenValue,
} from "../../domain/order/store/order-commands.ts";
import { lockOwnOrder } from "../../domain/order/store/read-order.ts";
import { documentValue } from "../../domain/requirement/store/requirement-values.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { StalePreparation, type Preparing } from "../../platform/http/routing/preparing.ts";
import type { ApiDeps } from "../api-deps.ts";
import type { SavedRequirements } from "../requirement-groups/saved-requirements.ts";
import {
  makeLetter,
  type LetterDeps,
  type MadeLetter,
  type Signature,
} from "../loa/make-letter.ts";
import {
  namedUploads,
  readGiven,
  signatureIn,
  type GivenField,
  type GivenRequirements,
} from "./given-requirements.ts";
import { requireDocumentRoom, withoutFiles } from "./write-requirement.ts";

export type FulfilDeps = LetterDeps & Pick<ApiDeps, "box">;

/** What a request gives one order, as checked. */
export interface CheckedGiven {
  readonly order: Order;
  readonly fields: readonly GivenField[];
  readonly letter: MadeLetter | null;
  readonly faults: readonly Fault[];
}

interface GivenTo {
  readonly db: Queryable;
  readonly accountId: string;
  /** As they are when the values arrive, after other changes of the same request. */
  readonly orders: readonly Order[];
  readonly given: GivenRequirements;
  /** Values of a saved holder: an order gets those that it asks for, takes, and has not been given. */
  readonly saved?: SavedRequirements;
}

/** Each order's fields with all their faults, without those that only the printed letter shows. */
export async function readGivenTo(
  { bus, box }: Pick<FulfilDeps, "bus" | "box">,
  { db, accountId, orders, given, saved = {} }: GivenTo,
): Promise<CheckedGiven[]> {
  const uploads = await findUploads(db, accountId, namedUploads({ ...saved, ...given }));
  const context = { uploads, box, now: bus.clock.now() };
  return orders.map((order) => {
    const { fields, faults } = readGiven(given, order, context);
    const isMissing = ([slug]: [string, string]): boolean =>
      !(slug in given) && order.requirements.some((one) => one.slug === slug && !one.has_value);
    const missing = Object.fromEntries(Object.entries(saved).filter(isMissing));
    const more = readGiven(missing, order, context);
    return { order, letter: null, fields: [...fields, ...more.fields], faults };
  });
}

/**
 * Each order's fields, and its letter where a signature is given. A fault of the letter is one of the request.
 * @throws `invalid_state` where the order takes no values; `rate_limited`, `unavailable`
 */
export async function checkGiven(
  deps: FulfilDeps,
  preparing: Preparing,
  to: GivenTo,
): Promise<CheckedGiven[]> {
  const read = await readGivenTo(deps, to);
  const checked: CheckedGiven[] = [];
  for (const one of read) {
    const by = signatureIn(to.given, one.order);
    checked.push(by === null ? one : await withLetter(deps, preparing, one, by));
  }
  return checked;
}

async function withLetter(
  deps: FulfilDeps,
  preparing: Preparing,
  checked: CheckedGiven,
  by: Signature,
): Promise<CheckedGiven> {
  const context = { actor: SYSTEM_ACTOR, now: deps.bus.clock.now() };
  const order = decided(checked.order, changesOf(checked.fields), context);
  const missing = missingForLoa(order).map(({ slug, code, detail }) => {
    return { pointer: `#/requirements/${slug}`, code, detail };
  });
  const faults = withFurther(checked.faults, missing);
  try {
    return { ...checked, faults, letter: await makeLetter(deps, preparing, { order, by }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.faults.length === 0) throw error;
    return { ...checked, faults: withFurther(faults, letterFaults(error)) };
  }
}

/** A value has one fault: a letter lacks what is wrong itself, too. */
function withFurther(faults: readonly Fault[], more: readonly Fault[]): Fault[] {
  const known = new Set(faults.map(({ pointer }) => pointer));
  return [...faults, ...more.filter(({ pointer }) => !known.has(pointer))];
}

/** Those of the signature are below the letter's slug; values that it must state have their own. */
function letterFaults({ faults }: AppError): Fault[] {
  return faults.map((fault) => {
    const { pointer = "#" } = fault;
    if (pointer.startsWith("#/requirements/")) return fault;
    return { ...fault, pointer: `#/requirements/${LOA_SLUG}${pointer.slice(1)}` };
  });
}

function changesOf(fields: readonly GivenField[]): OrderCommand[] {
  return fields.map(({ slug, content }) => ({ command: "requirement_changed", slug, content }));
}

function decided(order: Order, commands: readonly OrderCommand[], context: DecisionContext): Order {
  const decision = decide(order, { command: "several", commands }, context);
  if (!decision.allowed) throw refusalError(decision.refusal);
  return decision.order;
}

/** What an order is given, its files stored: nothing of it is in the database yet. */
export interface Fulfilment {
  readonly changes: readonly OrderCommand[];
  readonly rewritten: readonly RewrittenValue[];
  readonly files: readonly StoredDocument[];
  readonly letter: { readonly stated: LoaContent; readonly signing: LoaSigning } | null;
}

/** A copy is read and written within the request. */
const MOST_COPIED = 256 * 1024 * 1024;

/**
 * Stores the files of what was checked: copies of uploads, which belong to their orders alone, and letters.
 * @throws `quota_exceeded`, `not_found` where an upload has lapsed meanwhile, `unavailable`
 */
export async function storeGiven(
  deps: FulfilDeps,
  { db, accountId }: Pick<GivenTo, "db" | "accountId">,
  checked: readonly Omit<CheckedGiven, "faults">[],
): Promise<ReadonlyMap<string, Fulfilment>> {
  const now = deps.bus.clock.now();
  const uploads = checked.flatMap(({ fields }) => fields.flatMap(({ upload }) => upload ?? []));
  if (uploads.reduce((sum, upload) => sum + upload.size_bytes, 0) > MOST_COPIED) {
    const detail =
      "A request copies at most 256 MiB of documents: give them to fewer orders at once.";
    throw new AppError("quota_exceeded", detail);
  }
  const sizes = [
    ...uploads.map((upload) => upload.size_bytes),
    ...checked.flatMap(({ letter }) => letter?.pdf.length ?? []),
  ];
  if (sizes.length > 0) await requireDocumentRoom({ ...deps, db }, accountId, sizes);
  if (uploads.length > 0)
    await noteUses(
      db,
      uploads.map(({ id }) => id),
      now,
    );
  const stored = new Map<string, Fulfilment>();
  for (const one of checked) stored.set(one.order.id, await storeOne(deps, one, now));
  return stored;
}

async function storeOne(
  { files }: FulfilDeps,
  { order, fields, letter }: Omit<CheckedGiven, "faults">,
  now: Date,
): Promise<Fulfilment> {
  const { id: order_id, account_id } = order;
  const made: StoredDocument[] = [];
  for (const { slug, content, upload } of fields) {
    if (upload === null || content.kind !== "document") continue;
    const { document_id: id } = content;
    await files.copy(upload.id, id);
    const { content_type, size_bytes, sha256 } = upload;
    const document = {
      id,
      account_id,
      order_id,
      slug,
      content_type,
      size_bytes,
      sha256,
      created_at: now,
    };
    made.push({ document, pageTexts: null });
  }
  const rewritten = fields.flatMap((field) => field.rewritten);
  const unsigned = { changes: changesOf(fields), rewritten, files: made, letter: null };
  if (letter === null) return unsigned;
  const { pdf, signing, stated, pageTexts } = letter;
  const { document_id: id, sha256, signed_at } = signing;
  await files.write(id, pdf);
  const content_type = "application/pdf" as const;
  const stored = { slug: LOA_SLUG, content_type, size_bytes: pdf.length, sha256 };
  const document = { id, account_id, order_id, ...stored, created_at: signed_at };
  return {
    ...unsigned,
    rewritten: [...rewritten, { key: LOA_SLUG, stored: documentValue(id, signed_at) }],
    files: [...made, { document, pageTexts }],
    letter: { stated, signing },
  };
}

/** The commands by which an order gets it, after those `before`. */
export function fulfilCommand(
  { changes, letter }: Pick<Fulfilment, "changes" | "letter">,
  before: readonly OrderCommand[] = [],
): OrderCommand {
  const signed = letter === null ? [] : [{ command: "loa_signed", ...letter.signing } as const];
  return { command: "several", commands: [...before, ...changes, ...signed] };
}

/** The documents whose files were stored. */
export function documentsOf(fulfilments: Iterable<Fulfilment>): Document[] {
  return [...fulfilments].flatMap(({ files }) => files.map(({ document }) => document));
}

interface FulfilRequest extends DecisionContext {
  readonly fulfilment: Fulfilment;
  readonly before?: readonly OrderCommand[];
  readonly also?: WriteAlso<Order>;
}

/**
 * Gives an order what was prepared for it, in one transaction with its files' rows; all or nothing.
 * @throws `StalePreparation` where the letter would state something else by now; `not_found`, `invalid_state`
 */
export async function fulfilOrder(
  { files, ...context }: CommandContext & { readonly files: FileStore },
  { accountId, orderId }: OrderAddress,
  { fulfilment, before = [], also, ...by }: FulfilRequest,
): Promise<Order> {
  const { changes, letter, rewritten } = fulfilment;
  return withoutFiles(files, documentsOf([fulfilment]), () =>
    inTransaction(context.db, async (tx) => {
      const locked = await lockOwnOrder(tx, accountId, orderId);
      if (letter !== null) {
        const order = decided(locked, [...before, ...changes], by);
        if (!isDeepStrictEqual(loaContentOf(order), letter.stated)) throw new StalePreparation();
      }
      await insertDocuments(tx, fulfilment.files);
      const command = fulfilCommand(fulfilment, before);
      const saved = await applyToOrder({ ...context, tx }, locked, { command, rewritten, ...by });
      await also?.(tx, locked, saved);
      return saved;
    }),
  );
}
