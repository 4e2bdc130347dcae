import { z } from "zod";
import { pageOperators } from "../../domain/account/store/operators.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { writtenText } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { admin, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import { addNamedOperator } from "./add-operator.ts";
import { operatorAnswer, roleField } from "./answers.ts";
import { changeOperator } from "./change-operator.ts";
import { presentOperators } from "./present-operator.ts";
import { requireOperator } from "./require-operator.ts";
import { operatorTokenRoutes } from "./token-routes.ts";

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

export interface OperatorDeps {
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
