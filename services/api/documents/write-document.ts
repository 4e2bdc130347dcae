import { insertDocument } from "../../domain/document/store/documents.ts";
import { documentTypeOf } from "../../domain/document/rules/document.ts";
import type { OrderAddress } from "../../domain/order/store/order-commands.ts";
import type { Actor, Order } from "../../domain/order/rules/order.ts";
import { writeRequirement } from "../requirements/store/write-requirement.ts";
import type { RequirementDefinition } from "../../domain/countries/fields/requirement-definition.ts";
import type { Database } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ReceivedFile } from "../../platform/files/temporary-upload.ts";
import { newId } from "../../platform/ids.ts";
import type { ApiDeps } from "../api-deps.ts";
import { requireDocumentRoom } from "./document-quota.ts";

/** A file that a customer sent for a document field, and who sent it. */
export interface NewDocument {
  readonly db: Database;
  readonly definition: RequirementDefinition;
  readonly file: ReceivedFile;
  readonly document_date: Date;
  readonly actor: Actor;
}

/**
 * Stores a received file as a field's value. The file is stored before its row and the field's new value are committed
 * in one transaction.
 * @throws `not_found`, `invalid_state`, `quota_exceeded`; the file is then removed
 */
export async function writeDocument(
  {
    bus,
    box,
    files,
    maxUploadedBytes,
  }: Pick<ApiDeps, "bus" | "box" | "files" | "maxUploadedBytes">,
  address: OrderAddress,
  { db, definition, file, document_date, actor }: NewDocument,
): Promise<Order> {
  const content_type = documentTypeOf(file.head);
  if (content_type === null)
    throw new AppError("internal", "A document of an unknown type passed validation.");
  const now = bus.clock.now();
  await requireDocumentRoom({ db, bus, maxUploadedBytes }, address.accountId, file.size);
  const id = newId(now);
  const document = {
    id,
    account_id: address.accountId,
    order_id: address.orderId,
    slug: definition.slug,
    content_type,
    size_bytes: file.size,
    sha256: file.sha256,
    created_at: now,
  };
  const value = { kind: "document", document_id: id, document_date, check: "checking" } as const;
  await files.store(file, id);
  try {
    return await writeRequirement({ ...bus, db, box }, address, {
      definition,
      value,
      actor,
      now,
      also: (tx) => insertDocument(tx, document),
    });
  } catch (error) {
    // After any other error the transaction may still have been committed, so the file is left to the sweep.
    if (error instanceof AppError && !error.retryable) await files.remove(id);
    throw error;
  }
}
