import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { optionalOrNull, textUpTo, writtenText } from "../../platform/http/body/fields.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { byOperator, reviewer, viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { code, rejectionTextAnswer, slug, text } from "./answers.ts";
import { deleteText, findText, listTexts, saveText } from "./store.ts";

const PATH = "/desk/v1/rejection_texts";

const textBody = z.strictObject({
  slug: textUpTo(64, slug.min(1)),
  code: optionalOrNull(z.string().max(64)).meta(code),
  text: writtenText(1_000).meta(text),
});

/** The caller's own texts for rejections. */
export function textRoutes({ bus: { clock } }: Pick<DeskDeps, "bus">): DeskRoute[] {
  return [
    viewer.GET(PATH, "List the caller's texts for rejections", {
      description: "The latest first, in one page.",
      answers: { 200: listOf(rejectionTextAnswer) },
      handle: async ({ db, principal }) =>
        ok({ data: await listTexts(db, principal.operatorId), has_more: false }),
    }),
    reviewer.POST(PATH, "Save a text for rejections", {
      description: "The same text is saved once. An operator has 50 at most.",
      answers: { 201: rejectionTextAnswer },
      refuses: ["quota_exceeded"],
      body: textBody,
      handle: async (request) => {
        const now = clock.now();
        const { slug: of, code: by = null, text: written } = request.body;
        const saved = { id: newId(now), slug: of, code: by, text: written, created_at: now };
        const shown = await inTransaction(request.db, async (tx) => {
          const kept = await saveText(tx, request.principal.operatorId, saved);
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "rejection_text.saved",
            after: { text_id: kept.id, slug: of },
          });
          return kept;
        });
        return created(shown, PATH);
      },
    }),
    reviewer.DELETE(`${PATH}/:id`, "Remove a text for rejections", {
      description: "One of the caller's own.",
      answers: { 204: null },
      find: ({ db, principal, params }) => findText(db, principal.operatorId, params.id),
      handle: async (request) => {
        const { db, principal, params } = request;
        await inTransaction(db, async (tx) => {
          const { id, slug: of } = await findText(tx, principal.operatorId, params.id);
          await deleteText(tx, id);
          await writeAudit(tx, {
            ...byOperator(request, clock.now()),
            action: "rejection_text.removed",
            before: { text_id: id, slug: of },
          });
        });
        return noContent();
      },
    }),
  ];
}
