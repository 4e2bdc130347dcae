import { z } from "zod";
import {
  findOperator,
  listTokensOf,
  pageOperators,
  type OperatorRow,
  type OperatorTokenRecord,
} from "../../domain/account/store/operators.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { writtenText } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent, ok } from "../../platform/http/routing/reply.ts";
import { admin, byOperator, type DeskRoute } from "../access/desk-routes.ts";
import { newOperatorTokenAnswer, operatorAnswer, roleField } from "./answers.ts";
import {
  addNamedOperator,
  changeOperator,
  issueToken,
  noSuchOperator,
  requireToken,
  revokeToken,
} from "./change-operator.ts";

/** @throws `not_found` */
async function requireOperator(db: Queryable, id: string): Promise<OperatorRow> {
  const operator = await findOperator(db, id);
  if (operator === null) throw noSuchOperator();
  return operator;
}

const nameField = writtenText(128).meta({
  description: "No other operator's name",
  examples: ["Ada Byron"],
});

const newOperatorBody = z.strictObject({
  name: nameField,
  role: roleField.default("reviewer"),
});

/** What is absent stays as it is. */
const operatorChangesBody = z.strictObject({
  name: nameField.optional(),
  role: roleField.optional(),
  active: z.boolean().optional().meta({
    description: "False ends the operator's access and sessions at once",
  }),
});

const PATH = "/desk/v1/operators";

interface OperatorDeps {
  readonly bus: Pick<RouteBus, "clock">;
}

/** `/desk/v1/operators`: who works at the desk, and by which tokens. */
export function operatorRoutes(deps: OperatorDeps): DeskRoute[] {
  return [listRoute(), addRoute(deps), changeRoute(deps), ...operatorTokenRoutes(deps)];
}

function listRoute(): DeskRoute {
  return admin.GET(PATH, "List the operators, including inactive ones", {
    description: "With all their tokens, by prefix, revoked ones included.",
    answers: { 200: listOf(operatorAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const range = await rangeFrom(query, (id) => requireOperator(db, id));
      const operators = await pageOperators(db, range);
      return page(request, await presentOperators(db, operators));
    },
  });
}

function addRoute({ bus: { clock } }: OperatorDeps): DeskRoute {
  return admin.POST(PATH, "Add an operator", {
    description: "The operator has no access before a token is issued.",
    answers: { 201: operatorAnswer },
    refuses: ["invalid_state"],
    body: newOperatorBody,
    handle: async (request) => {
      const by = byOperator(request, clock.now());
      const operator = await addNamedOperator(request.db, request.body, by);
      const { id, name, role, active, created_at } = operator;
      return created({ id, name, role, active, created_at, tokens: [] }, `${PATH}/${id}`);
    },
  });
}

function changeRoute({ bus: { clock } }: OperatorDeps): DeskRoute {
  return admin.PATCH(`${PATH}/:id`, "Change an operator's name, role or access", {
    description: `Takes effect with the operator's next request. The last active admin can neither lose that role nor be \
deactivated.`,
    answers: { 200: operatorAnswer },
    refuses: ["invalid_state"],
    find: ({ db, params }) => requireOperator(db, params.id),
    body: operatorChangesBody,
    handle: async (request) => {
      const { db } = request;
      const change = { id: request.params.id, changes: request.body };
      const operator = await changeOperator(db, change, byOperator(request, clock.now()));
      const [shown] = await presentOperators(db, [operator]);
      return ok(shown);
    },
  });
}

const TOKENS_PATH = "/desk/v1/operators/:id/tokens";

/** An operator's tokens: issue (shown once), revoke. */
function operatorTokenRoutes({ bus: { clock } }: OperatorDeps): DeskRoute[] {
  return [
    admin.POST(TOKENS_PATH, "Issue a token for an operator", {
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
    admin.DELETE(`${TOKENS_PATH}/:token_id`, "Revoke a token of an operator", {
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

/** Operators with their tokens, as admins see them. */
async function presentOperators(db: Queryable, operators: readonly OperatorRow[]) {
  const ids = operators.map(({ id }) => id);
  const tokens = await listTokensOf(db, ids);
  return operators.map(({ id, name, role, active, created_at }) => ({
    ...{ id, name, role, active, created_at },
    tokens: tokens.filter((token) => token.operator_id === id).map(presentToken),
  }));
}

function presentToken({ id, prefix, created_at, revoked_at }: OperatorTokenRecord) {
  return { id, prefix, created_at, revoked_at };
}
