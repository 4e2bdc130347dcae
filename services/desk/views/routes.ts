import { z } from "zod";
import { includesRole } from "../../domain/account/rules/operator-role.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { optionalOrNull, textUpTo, writtenText } from "../../platform/http/body/fields.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import {
  byOperator,
  viewer,
  type DeskRoute,
  type OperatorPrincipal,
} from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { LIST_SCREENS, savedViewAnswer } from "./answers.ts";
import { deleteView, findView, listViews, saveView, type SavedView } from "./store.ts";

const PATH = "/desk/v1/views";

const viewBody = z.strictObject({
  screen: z.enum(LIST_SCREENS).describe("The page of the desk whose list it is"),
  name: writtenText(40).meta({ description: "As its tab reads", examples: ["Late in Britain"] }),
  search: textUpTo(2_000).meta({
    description: "Filters and order, as they stand in the page's address",
    examples: ["view=overdue&country_code=GB"],
  }),
  shared: optionalOrNull(z.boolean()).describe("For all operators, which needs the role lead"),
});

/** `/desk/v1/views`: lists under a name, of one operator or of all. */
export function viewRoutes({ bus: { clock } }: Pick<DeskDeps, "bus">): DeskRoute[] {
  return [
    viewer.GET(PATH, "List the saved views", {
      description: "The caller's own and those of all, by name, in one page.",
      answers: { 200: listOf(savedViewAnswer) },
      handle: async ({ db, principal }) => {
        const views = await listViews(db, principal.operatorId);
        return ok({ data: views.map(present), has_more: false });
      },
    }),
    viewer.POST(PATH, "Save a view", {
      description:
        "In the place of the one with this name, if there is one. An operator has 50 of their own at most, and all together 50.",
      answers: { 201: savedViewAnswer },
      refuses: ["quota_exceeded"],
      body: viewBody,
      handle: async (request) => {
        const { shared: isShared = false, ...given } = request.body;
        const { principal } = request;
        if (isShared) requireLead(principal);
        const now = clock.now();
        const operator_id = isShared ? null : principal.operatorId;
        const view = { id: newId(now), operator_id, ...given, created_at: now };
        const shown = await inTransaction(request.db, async (tx) => {
          const saved = await saveView(tx, view);
          const { id, screen, name } = saved;
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "view.saved",
            after: { view_id: id, screen, name, shared: isShared },
          });
          return saved;
        });
        return created(present(shown), PATH);
      },
    }),
    viewer.DELETE(`${PATH}/:id`, "Remove a saved view", {
      description: "The caller's own, or, for leads, one of all.",
      answers: { 204: null },
      find: ({ db, principal, params }) => findView(db, principal.operatorId, params.id),
      handle: async (request) => {
        const { db, principal, params } = request;
        const { id, screen, name, operator_id } = await findView(
          db,
          principal.operatorId,
          params.id,
        );
        if (operator_id === null) requireLead(principal);
        await inTransaction(db, async (tx) => {
          await deleteView(tx, id);
          await writeAudit(tx, {
            ...byOperator(request, clock.now()),
            action: "view.removed",
            before: { view_id: id, screen, name, shared: operator_id === null },
          });
        });
        return noContent();
      },
    }),
  ];
}

/** @throws `forbidden` */
function requireLead({ role }: OperatorPrincipal): void {
  if (includesRole(role, "lead")) return;
  throw new AppError("forbidden", `A view of all operators needs the role lead; yours is ${role}.`);
}

function present({ operator_id: operatorId, ...view }: SavedView) {
  return { ...view, shared: operatorId === null };
}
