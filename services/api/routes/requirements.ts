import { z } from "zod";
import type { NewValue } from "../../domain/order/requirement-write-store.ts";
import { writeRequirement } from "../../domain/order/requirement-write-store.ts";
import { findOrder } from "../../domain/order/order-read-store.ts";
import { NUMBER_TYPES } from "../../domain/number/classify-number.ts";
import { definitionOf, profileOf } from "../../domain/requirement/catalogue.ts";
import { checkValue } from "../../domain/requirement/check-value.ts";
import {
  presentDefinition,
  presentRequirement,
} from "../../domain/requirement/present-requirement.ts";
import type { RequirementDefinition } from "../../domain/requirement/requirement-definition.ts";
import { fieldTypeOf } from "../../domain/requirement/requirement-definition.ts";
import { AppError } from "../../platform/errors.ts";
import { uuid } from "../../platform/http/fields.ts";
import { noContent, ok } from "../../platform/http/reply.ts";
import type { Route } from "../../platform/http/route.ts";
import { routesFor } from "../../platform/http/route.ts";
import type { ApiDeps } from "../api-deps.ts";
import { customerActor } from "../customer-actor.ts";
import type { AccountPrincipal } from "../principal.ts";

const params = z.strictObject({ id: uuid(), slug: z.string().regex(/^[a-z0-9_]{1,64}$/) });
const MAX_VALUE_LENGTH = 4_096;
const PATH = "/v2/porting_orders/:id/requirements/:slug";

const defineRoute = routesFor<AccountPrincipal>();

interface FieldAddress {
  readonly principal: AccountPrincipal;
  readonly params: z.output<typeof params>;
}

/** The fields of an order, and what an order of a kind will ask for. */
export function requirementRoutes(deps: ApiDeps): Route<AccountPrincipal>[] {
  return [rewriteRoute(deps), emptyRoute(deps), profileRoute()];
}

/** The field that a request names, of an order of the account; `not_found` where there is none. */
async function findDefinition(
  { bus }: ApiDeps,
  { principal, params: { id, slug } }: FieldAddress,
): Promise<RequirementDefinition> {
  const order = await findOrder(bus.pool, principal.accountId, id);
  const definition = definitionOf(order, slug);
  if (definition === null) throw new AppError("not_found", "The order has no such requirement.");
  return definition;
}

async function write(
  { bus, box }: ApiDeps,
  { principal, params: { id, slug } }: FieldAddress,
  field: { readonly definition: RequirementDefinition; readonly value: NewValue },
): Promise<Record<string, unknown> | null> {
  const address = { accountId: principal.accountId, orderId: id };
  const options = { actor: customerActor(principal), now: bus.clock.now() };
  const order = await writeRequirement({ ...bus, box }, address, field, options);
  const requirement = order.requirements.find((one) => one.slug === slug);
  return requirement === undefined ? null : presentRequirement(requirement, field.definition);
}

function textOf(definition: RequirementDefinition, sent: string): NewValue {
  if (fieldTypeOf(definition) === "document") {
    const detail = "This requirement takes a file: send multipart/form-data.";
    throw new AppError("unsupported_media_type", detail);
  }
  const checked = checkValue(definition, sent);
  if ("value" in checked) return { kind: "text", text: checked.value };
  throw new AppError("validation_failed", "The value is not accepted.", {
    faults: [{ pointer: "#/field_value", ...checked.fault }],
  });
}

function rewriteRoute(deps: ApiDeps): Route<AccountPrincipal> {
  return defineRoute({
    method: "PATCH",
    path: PATH,
    access: "account",
    params,
    body: z.strictObject({ field_value: z.string().max(MAX_VALUE_LENGTH) }),
    handle: async (request) => {
      const definition = await findDefinition(deps, request);
      const value = textOf(definition, request.body.field_value);
      return ok(await write(deps, request, { definition, value }));
    },
  });
}

function emptyRoute(deps: ApiDeps): Route<AccountPrincipal> {
  return defineRoute({
    method: "DELETE",
    path: PATH,
    access: "account",
    params,
    handle: async (request) => {
      const definition = await findDefinition(deps, request);
      await write(deps, request, { definition, value: { kind: "empty" } });
      return noContent();
    },
  });
}

function profileRoute(): Route<AccountPrincipal> {
  return defineRoute({
    method: "GET",
    path: "/v2/porting_requirements",
    access: "account",
    query: z.strictObject({
      country_code: z.string().regex(/^[A-Z]{2}$/),
      number_type: z.enum(NUMBER_TYPES),
    }),
    handle: ({ query: { country_code: country, number_type: type } }) => {
      const profile = profileOf(country, type);
      if (profile === null) {
        const detail = `Numbers of the kind ${country} ${type} cannot be ported.`;
        throw new AppError("invalid_parameter", detail, {
          faults: [{ parameter: "country_code", code: "country_not_supported", detail }],
        });
      }
      return ok({ data: profile.map(presentDefinition), has_more: false });
    },
  });
}
