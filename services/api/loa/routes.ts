import { z } from "zod";
import { DOCUMENT_TYPES, documentFile } from "../../domain/document/rules/document.ts";
import { findDocument } from "../../domain/document/store/documents.ts";
import { LOA_SLUG } from "../../domain/order/rules/decide-loa.ts";
import { loaContentOf } from "../../domain/order/rules/loa-content.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { letterFormOf, type LetterLanguage } from "../../domain/terms/rules/letter-terms.ts";
import { AppError } from "../../platform/errors.ts";
import { hashText, idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import { created, type Reply } from "../../platform/http/routing/reply.ts";
import { customerActor, GET, POST, type CustomerRoute } from "../access/customer-routes.ts";
import { ownOrder } from "../orders/own-order.ts";
import { fulfilOrder, storeGiven, type FulfilDeps } from "../requirements/fulfil.ts";
import type { Unsigned } from "./letter/loa-form.ts";
import {
  LANGUAGE,
  language,
  makeLetter,
  signature as signBody,
  type LetterDeps,
} from "./make-letter.ts";

const readQuery = z.strictObject({
  language: language.optional().describe(LANGUAGE),
  by_hand: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe("The letter without a signature and without a mark, to be signed by hand"),
});

const PATH = "/v2/porting_orders/:id/loa";

const signingAnswer = z
  .object({
    document_id: idText("The id of the signed PDF"),
    sha256: hashText("SHA-256 of the signed PDF, in hex"),
    signed_at: timeText("When it was signed"),
  })
  .meta({ id: "SignedLoa", description: "A signed letter of authorization" });

/** Read and sign the letter of authorization of an order. */
export function loaRoutes(deps: FulfilDeps): CustomerRoute[] {
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

function signRoute(deps: FulfilDeps): CustomerRoute {
  const { bus, files } = deps;
  return POST(`${PATH}/sign`, "Sign the letter of authorization", {
    operationId: "signLoa",
    description:
      "Renders the letter as a PDF with holder, address, losing carrier and every number, signs it and sets the requirement `loa`. 409 `not_ready` names the values that it must state and that are missing.",
    answers: { 201: signingAnswer },
    refuses: ["invalid_state", "not_ready", "quota_exceeded"],
    find: ownOrder,
    body: signBody,
    prepare: async (request, preparing) => {
      const { db, principal, body } = request;
      const order = await ownOrder(request);
      const letter = await makeLetter(deps, preparing, { order, by: body });
      const to = { db, accountId: principal.accountId };
      const stored = await storeGiven(deps, to, [{ order, fields: [], letter }]);
      return { signing: letter.signing, fulfilment: stored.get(order.id) };
    },
    handle: async ({ db, principal, params: { id }, prepared: { signing, fulfilment } }) => {
      if (fulfilment === undefined) throw new AppError("internal", "A letter was not stored.");
      const address = { accountId: principal.accountId, orderId: id };
      const by = { actor: customerActor(principal), now: bus.clock.now() };
      await fulfilOrder({ ...bus, db, files }, address, { fulfilment, ...by });
      const { document_id, sha256, signed_at } = signing;
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
