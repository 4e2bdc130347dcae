import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { updateEndpoint } from "../../domain/webhook/store/endpoints.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { lead, viewer, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { deskEndpointAnswer } from "./answers.ts";
import { findDeskEndpoint, listDeskEndpoints } from "./store/desk-endpoints.ts";

const PATH = "/desk/v1/webhook_endpoints";

const listQuery = z.strictObject({
  ...pageQuery,
  account_id: uuid().optional().describe("Endpoints of this account"),
  failing: z
    .enum(["true", "false"])
    .transform((given) => given === "true")
    .optional()
    .meta({
      description:
        "Endpoints whose latest attempt failed, and those that the system paused for that; or the others",
    }),
});

/** The webhook endpoints of all accounts: which fail, since when and why; secrets are never shown. */
export function endpointRoutes({ bus: { clock } }: Pick<DeskDeps, "bus">): DeskRoute[] {
  return [
    viewer.GET(PATH, "List the webhook endpoints of all accounts", {
      description:
        "The oldest undelivered webhook is sought among the 1,000 of an endpoint that are due longest.",
      answers: { 200: listOf(deskEndpointAnswer) },
      query: listQuery,
      handle: async (request) => {
        const { db, query: filter } = request;
        const range = await rangeFrom(filter, (id) => findDeskEndpoint(db, id));
        return page(request, await listDeskEndpoints(db, { range, filter }));
      },
    }),
    lead.POST(`${PATH}/:id/resume`, "Resume a paused webhook endpoint for its customer", {
      description:
        "As the customer's PATCH of `active`: what was skipped meanwhile is not sent; a recovery sends it. An active endpoint stays as it is.",
      answers: { 200: deskEndpointAnswer },
      find: ({ db, params }) => findDeskEndpoint(db, params.id),
      handle: async (request) => {
        const { db } = request;
        const { id } = request.params;
        const before = await findDeskEndpoint(db, id);
        const now = clock.now();
        await inTransaction(db, async (tx) => {
          const address = { accountId: before.account.id, id };
          await updateEndpoint(tx, address, { patch: { active: true }, now });
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "webhook_endpoint.resumed",
            accountId: before.account.id,
            before: { active: before.active, paused_by: before.paused_by },
            after: { webhook_endpoint_id: id, active: true },
          });
        });
        return ok(await findDeskEndpoint(db, id));
      },
    }),
  ];
}
