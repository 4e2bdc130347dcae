import { z } from "zod";
import type { CommandContext } from "../../domain/command/store/run-command.ts";
import type { RequirementDefinition } from "../../domain/countries/fields/requirement-definition.ts";
import {
  DOCUMENT_TYPES,
  documentTypeOf,
  MAX_DOCUMENT_BYTES,
  UPLOADED,
  type Document,
  type Upload,
} from "../../domain/document/rules/document.ts";
import {
  chargedBytes,
  insertDocuments,
  storedBytes,
} from "../../domain/document/store/documents.ts";
import type { Actor, Order } from "../../domain/order/rules/order.ts";
import {
  commandOrder,
  type CustomerCommand,
  type OrderAddress,
  type RewrittenValue,
} from "../../domain/order/store/order-commands.ts";
import type { RequirementContent } from "../../domain/requirement/rules/requirement.ts";
import { documentValue } from "../../domain/requirement/store/requirement-values.ts";
import { writtenInstant } from "../../platform/calendar/instant-text.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { ReceivedFile } from "../../platform/files/temporary-upload.ts";
import { formFile } from "../../platform/http/body/fields.ts";
import { StalePreparation } from "../../platform/http/routing/preparing.ts";
import { newId } from "../../platform/ids.ts";
import type { ApiDeps } from "../api-deps.ts";

/** Postgres writes earlier dates with a BC suffix, which other programs do not parse. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
/** Allows for time zones in which it is already tomorrow. */
const MAX_AHEAD_MS = 86_400_000;
const MIB = 1024 * 1024;
const NO_TIME =
  "It must be a time with an offset; of a plain day, its beginning, such as 2026-12-01T00:00:00+01:00.";

const documentFile = formFile()
  .refine(({ size }) => size > 0, {
    abort: true,
    error: "The file is empty: it has 0 bytes.",
    params: { code: "empty_document" },
  })
  .refine(({ head }) => documentTypeOf(head) !== null, {
    error: `The file's content is not one of ${DOCUMENT_TYPES.join(", ")}.`,
    params: { code: "unsupported_document_type" },
  });

/** A document and its date, as PATCH of a requirement accepts them. */
export function documentForm(clock: Clock) {
  return z.strictObject({
    file: documentFile.meta({
      type: "string",
      format: "binary",
      description: `The document, up to ${MAX_DOCUMENT_BYTES / MIB} MiB: ${DOCUMENT_TYPES.join(", ")}`,
    }),
    document_date: writtenInstant(NO_TIME)
      .meta({
        description:
          "When the document was issued: a time in ISO 8601 with an offset, at most 24 hours ahead. Of a plain day, send its beginning",
        examples: ["2026-12-01T00:00:00+01:00"],
      })
      .transform((text) => new Date(Math.max(Date.parse(text), EARLIEST_MS)))
      .refine((date) => date.getTime() <= clock.now().getTime() + MAX_AHEAD_MS, {
        error: () => `It must be at most 24 hours ahead; now it is ${clock.now().toISOString()}.`,
        params: { code: "date_out_of_range" },
      }),
  });
}

const DAY_MS = 86_400_000;

interface QuotaContext extends Pick<ApiDeps, "bus" | "maxUploadedBytes"> {
  readonly db: Queryable;
}

/** Before documents of these sizes are stored. @throws `quota_exceeded` if the account has stored too much in 24 hours */
export async function requireDocumentRoom(
  { db, bus: { clock }, maxUploadedBytes: most }: QuotaContext,
  accountId: string,
  sizes: readonly number[],
): Promise<void> {
  if (most === 0) return;
  const since = new Date(clock.now().getTime() - DAY_MS);
  const stored = await storedBytes(db, accountId, since);
  const more = sizes.reduce((sum, size) => sum + chargedBytes(size), 0);
  if (stored + more <= most) return;
  const detail = `An account may upload or sign at most ${(most / MIB).toLocaleString("en")} MiB of documents in 24 hours, each counted as 1 MiB at least: send the others later.`;
  throw new AppError("quota_exceeded", detail);
}

/** A field's new content, with what is stored of it by key. */
interface RequirementWrite extends Omit<CustomerCommand, "command" | "rewritten"> {
  readonly slug: string;
  readonly content: RequirementContent;
  readonly stored: readonly RewrittenValue[];
}

/**
 * Changes a field of an account's order: the order decision and the value in one transaction.
 * @throws `not_found`, `invalid_state`
 */
export async function writeRequirement(
  context: CommandContext,
  address: OrderAddress,
  { slug, content, stored, ...given }: RequirementWrite,
): Promise<Order> {
  const command = { command: "requirement_changed", slug, content } as const;
  return commandOrder(context, address, { command, rewritten: stored, ...given });
}

/** A file that a customer sent for a document field, and who sent it. */
interface NewDocument {
  readonly db: Database;
  readonly definition: RequirementDefinition;
  readonly file: ReceivedFile;
  readonly document_date: Date;
  readonly actor: Actor;
}

type StoreDeps = Pick<ApiDeps, "bus" | "files" | "maxUploadedBytes">;

/**
 * Stores a received file before its row is committed by `write`, which is given the document.
 * @throws `quota_exceeded`, or what `write` throws; the file is removed where that is a refusal
 */
async function storeFile<T>(
  { bus, files, maxUploadedBytes }: StoreDeps,
  {
    db,
    file,
    ...of
  }: Pick<NewDocument, "db" | "file"> & Pick<Document, "account_id" | "order_id" | "slug">,
  write: (document: Document) => Promise<T>,
): Promise<T> {
  const content_type = documentTypeOf(file.head);
  if (content_type === null)
    throw new AppError("internal", "A document of an unknown type passed validation.");
  const created_at = bus.clock.now();
  await requireDocumentRoom({ db, bus, maxUploadedBytes }, of.account_id, [file.size]);
  const { size: size_bytes, sha256 } = file;
  const document = { id: newId(created_at), ...of, content_type, size_bytes, sha256, created_at };
  await files.store(file, document.id);
  return withoutFiles(files, [document], () => write(document));
}

/**
 * Removes the files of new documents where the work was refused. After any other error the transaction may still have been
 * committed, so that they are left to the sweep.
 */
export async function withoutFiles<T>(
  files: Pick<FileStore, "remove">,
  documents: readonly Pick<Document, "id">[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isRefused =
      error instanceof StalePreparation || (error instanceof AppError && !error.retryable);
    if (isRefused) for (const { id } of documents) await files.remove(id);
    throw error;
  }
}

/** Stores a received file for any order of the account. @throws `quota_exceeded` */
export async function storeUpload(
  deps: StoreDeps,
  {
    db,
    accountId,
    file,
    document_date,
  }: Pick<NewDocument, "db" | "file" | "document_date"> & { readonly accountId: string },
): Promise<Upload> {
  const of = { account_id: accountId, order_id: null, slug: UPLOADED };
  return storeFile(deps, { db, file, ...of }, async (document) => {
    const upload = { ...document, document_date };
    await insertDocuments(db, [{ document: upload, pageTexts: null }]);
    return upload;
  });
}

/** Stores a received file as a field's value. @throws `not_found`, `invalid_state`, `quota_exceeded` */
export async function writeDocument(
  deps: StoreDeps,
  address: OrderAddress,
  { db, definition, file, document_date, actor }: NewDocument,
): Promise<Order> {
  const of = { account_id: address.accountId, order_id: address.orderId, slug: definition.slug };
  return storeFile(deps, { db, file, ...of }, (document) => {
    const { id: document_id, created_at: now } = document;
    const content = { kind: "document", document_id, document_date, check: "checking" } as const;
    const stored = [{ key: of.slug, stored: documentValue(document_id, document_date) }];
    return writeRequirement({ ...deps.bus, db }, address, {
      ...{ slug: of.slug, content, stored, actor, now },
      also: (tx) => insertDocuments(tx, [{ document, pageTexts: null }]),
    });
  });
}
