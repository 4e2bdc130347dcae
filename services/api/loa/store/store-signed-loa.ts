import { isDeepStrictEqual } from "node:util";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { insertDocument } from "../../../domain/document/store/documents.ts";
import type { Document } from "../../../domain/document/rules/document.ts";
import { LOA_SLUG, type LoaSigning } from "../../../domain/order/rules/decide-loa.ts";
import type { DecisionContext } from "../../../domain/order/rules/effects.ts";
import type { CommandContext } from "../../../domain/command/store/run-command.ts";
import { applyToOrder, type OrderAddress } from "../../../domain/order/store/order-commands.ts";
import { lockOwnOrder } from "../../../domain/order/store/read-order.ts";
import { documentValue } from "../../../domain/requirement/store/requirement-values.ts";
import { loaContentOf, type LoaContent } from "../../../domain/order/rules/loa-content.ts";

/** A signed letter whose file is already stored; who signed it and when. */
export interface SignedLetter extends DecisionContext {
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
export async function storeSignedLoa(
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
