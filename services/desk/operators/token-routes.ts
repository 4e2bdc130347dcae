import { created, noContent } from "../../platform/http/routing/reply.ts";
import { admin, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import { newOperatorTokenAnswer } from "./answers.ts";
import { issueToken, requireToken, revokeToken } from "./operator-tokens.ts";
import { presentToken } from "./present-operator.ts";
import { requireOperator } from "./require-operator.ts";
import type { OperatorDeps } from "./routes.ts";

const PATH = "/desk/v1/operators/:id/tokens";

/** An operator's tokens: issue (shown once), revoke. */
export function operatorTokenRoutes({ bus: { clock } }: OperatorDeps): DeskRoute[] {
  return [
    admin.POST(PATH, "Issue a token for an operator", {
      operationId: "issueOperatorToken",
      description:
        "The token is in this answer alone; the operator's other tokens stay valid. An inactive operator gets none.",
      answers: { 201: newOperatorTokenAnswer },
      noStore: true,
      refuses: ["invalid_state"],
      find: ({ db, params }) => requireOperator(db, params.id),
      handle: async (request) => {
        const { db } = request;
        const { id } = request.params;
        const issued = await issueToken(db, id, byOperator(request, clock.now()));
        const { record, token } = issued;
        const location = `/desk/v1/operators/${id}/tokens/${record.id}`;
        return created({ ...presentToken(record), token }, location);
      },
    }),
    admin.DELETE(`${PATH}/:token_id`, "Revoke a token of an operator", {
      description: "Its sessions end with it.",
      answers: { 204: null },
      find: ({ db, params: { id: operatorId, token_id: tokenId } }) =>
        requireToken(db, { operatorId, tokenId }),
      handle: async (request) => {
        const { id: operatorId, token_id: tokenId } = request.params;
        const by = byOperator(request, clock.now());
        await revokeToken(request.db, { operatorId, tokenId }, by);
        return noContent();
      },
    }),
  ];
}
