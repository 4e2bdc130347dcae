import { z } from "zod";
import { DOCUMENT_TYPES, documentFile } from "../../domain/document/rules/document.ts";
import { findDocument } from "../../domain/document/store/documents.ts";
import { LOA_SLUG } from "../../domain/order/rules/decide-loa.ts";
import { loaContentOf } from "../../domain/order/rules/loa-content.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { AppError } from "../../platform/errors.ts";
import { optionalOrNull } from "../../platform/http/body/fields.ts";
import { hashText, idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { fileReply } from "../../platform/http/routing/file-reply.ts";
import { created, type Reply } from "../../platform/http/routing/reply.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import { customerActor } from "../access/customer-actor.ts";
import { GET, POST, type CustomerRoute } from "../access/customer-routes.ts";
import { ownOrder } from "../orders/own-order.ts";
import { checkTextLine } from "../requirements/check-value.ts";
import { prepareLetter, signLetter, type LetterDeps } from "./sign-letter.ts";
import { isPng } from "./signature/png-chunks.ts";
import { MAX_SIGNATURE_BYTES } from "./signature/signature-image.ts";

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
      "The signed or uploaded letter; before that a PDF with today's values, marked as unsigned.",
    answers: { 200: { mediaTypes: DOCUMENT_TYPES } },
    find: ownOrder,
    noStore: true,
    produces: "*/*",
    prepare: async (request, preparing) => {
      const { db, principal } = request;
      const order = await ownOrder(request);
      const loa = order.requirements.find((requirement) => requirement.slug === LOA_SLUG);
      if (loa?.document_id == null) return preview(deps, preparing, order);
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
      const address = { accountId: principal.accountId, orderId: id };
      const request = { signer_name, signer_title, image };
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

/** The letter filled in from the order's current values, marked as unsigned. */
async function preview(
  { bus, printer, carrier }: LetterDeps,
  preparing: Preparing,
  order: Order,
): Promise<Reply> {
  const content = loaContentOf(order);
  const job = { content, carrier, signature: null, printedAt: bus.clock.now() };
  const answer = await printer.print(preparing, job);
  if (answer.kind !== "letter") throw new AppError("internal", "A preview has no signature.");
  return {
    status: 200,
    headers: { "Content-Disposition": `inline; filename="loa-preview-${order.id}.pdf"` },
    raw: { type: "application/pdf", content: answer.pdf },
  };
}
