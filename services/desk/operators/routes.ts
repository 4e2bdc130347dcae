import type { DataSource } from "typeorm";
import { z } from "zod";
import { pageOperators } from "../../domain/account/store/operators.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { admin, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import { addNamedOperator } from "./add-operator.ts";
import { operatorAnswer } from "./answers.ts";
import { newOperatorBody, operatorChangesBody } from "./body.ts";
import { changeOperator } from "./change-operator.ts";
import { presentOperators } from "./present-operator.ts";
import { requireOperator } from "./require-operator.ts";
import { operatorTokenRoutes } from "./token-routes.ts";

const PATH = "/desk/v1/operators";

export interface OperatorDeps {
  readonly dataSource: DataSource;
  readonly bus: Pick<Bus, "pool" | "clock">;
}

/** `/desk/v1/operators`: who works at the desk, and by which tokens. */
export function operatorRoutes(deps: OperatorDeps): DeskRoute[] {
  return [listRoute(deps), addRoute(deps), changeRoute(deps), ...operatorTokenRoutes(deps)];
}

function listRoute({ bus: { pool } }: OperatorDeps): DeskRoute {
  return admin.GET(PATH, "List the operators, including inactive ones", {
    description: "With all their tokens, by prefix, revoked ones included.",
    answers: { 200: listOf(operatorAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const range = await rangeFrom(request.query, (id) => requireOperator(pool, id));
      const operators = await pageOperators(pool, range);
      return page(request, await presentOperators(pool, operators));
    },
  });
}

function addRoute({ dataSource, bus: { clock } }: OperatorDeps): DeskRoute {
  return admin.POST(PATH, "Add an operator", {
    description: "The operator has no access before a token is issued.",
    answers: { 201: operatorAnswer },
    refuses: ["invalid_state"],
    body: newOperatorBody,
    handle: async (request) => {
      const by = byOperator(request, clock.now());
      const operator = await addNamedOperator(dataSource, request.body, by);
      const { id, name, role, active, created_at } = operator;
      return created({ id, name, role, active, created_at, tokens: [] }, `${PATH}/${id}`);
    },
  });
}

function changeRoute({ bus: { pool, clock } }: OperatorDeps): DeskRoute {
  return admin.PATCH(`${PATH}/:id`, "Change an operator's name, role or access", {
    description: `Takes effect with the operator's next request. The last active admin can neither lose that role nor be \
deactivated.`,
    answers: { 200: operatorAnswer },
    refuses: ["invalid_state"],
    find: ({ params }) => requireOperator(pool, params.id),
    body: operatorChangesBody,
    handle: async (request) => {
      const change = { id: request.params.id, changes: request.body };
      const operator = await changeOperator(pool, change, byOperator(request, clock.now()));
      const [shown] = await presentOperators(pool, [operator]);
      return ok(shown);
    },
  });
}
