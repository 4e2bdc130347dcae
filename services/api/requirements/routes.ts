import { z } from "zod";
import {
  presentDefinition,
  presentRequirement,
  requirementAnswer,
  requirementDefinitionAnswer,
} from "../../domain/requirement/answers/requirement-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { documentForm, writeDocument, writeRequirement } from "./write-requirement.ts";
import { findOrder } from "../../domain/order/store/read-order.ts";
import { MAX_DOCUMENT_BYTES } from "../../domain/document/rules/document.ts";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import {
  definitionOf,
  profileOf,
  unsupportedKind,
} from "../../domain/requirement/rules/catalogue.ts";
import {
  clearedTexts,
  contentOfTexts,
  readTexts,
  storedTexts,
  takesFile,
  valueBody,
  type AskedField,
  type CheckedTexts,
} from "./given-values.ts";
import type { RequirementDefinition } from "../../domain/countries/fields/requirement-definition.ts";
import { AppError } from "../../platform/errors.ts";
import { noContent, ok } from "../../platform/http/routing/reply.ts";
import type { ApiDeps } from "../api-deps.ts";
import {
  customerActor,
  DELETE,
  GET,
  PATCH,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";

const params = {
  slug: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/)
    .meta({ description: "The requirement's slug", examples: ["account_number"] }),
};
const PATH = "/v2/porting_orders/:id/requirements/:slug";

interface FieldAddress extends CustomerPath {
  readonly params: { readonly id: string; readonly slug: string };
}

/** The requirements of an order, and the catalogue of requirements per country and number type. */
export function requirementRoutes(deps: ApiDeps): CustomerRoute[] {
  return [rewriteRoute(deps), emptyRoute(deps), profileRoute(deps)];
}

/** The requirement addressed by a request, in an order of the account. @throws `not_found` */
async function findField({ db, principal, params }: FieldAddress): Promise<AskedField> {
  const { id, slug } = params;
  const order = await findOrder(db, principal.accountId, id);
  const requirement = order.requirements.find((one) => one.slug === slug);
  const definition = requirement === undefined ? null : definitionOf(order, slug);
  if (requirement === undefined || definition === null) {
    throw new AppError("not_found", "The order has no such requirement.");
  }
  return { order, requirement, definition };
}

async function write(
  { bus, box }: ApiDeps,
  { db, principal }: FieldAddress,
  { field, texts }: { readonly field: AskedField; readonly texts: CheckedTexts },
): Promise<Order> {
  const address = { accountId: principal.accountId, orderId: field.order.id };
  return writeRequirement({ ...bus, db }, address, {
    slug: field.requirement.slug,
    content: contentOfTexts(field, texts),
    stored: storedTexts(box, field, texts),
    actor: customerActor(principal),
    now: bus.clock.now(),
  });
}

function present(order: Order, definition: RequirementDefinition): Record<string, unknown> | null {
  const requirement = order.requirements.find(({ slug }) => slug === definition.slug);
  const phoneNumber = order.numbers[0]?.phone_number ?? "";
  return requirement === undefined
    ? null
    : presentRequirement(requirement, definition, phoneNumber);
}

function rewriteRoute(deps: ApiDeps): CustomerRoute {
  const { clock } = deps.bus;
  return PATCH(PATH, "Set a requirement's value or document", {
    description:
      "JSON for a value, `multipart/form-data` for a requirement of type `document`. A requirement of scope `number` takes `field_values`, one for each number; where the order has one number, `field_value` will do. A value and a document's age are checked at once. In draft and rejection any requirement may be set again, which also clears its exception.",
    answers: { 200: requirementAnswer },
    refuses: ["invalid_state", "quota_exceeded"],
    params,
    body: valueBody,
    form: { fields: documentForm(clock), maxFileBytes: MAX_DOCUMENT_BYTES },
    resolve: async (request) => {
      const found = await findField(request);
      return { takes: takesFile(found) ? "form" : "json", found };
    },
    handle: async ({ db, principal, params, body, found }) => {
      const at = { db, principal, params };
      const { definition } = found;
      if ("file" in body) {
        const address = { accountId: principal.accountId, orderId: params.id };
        const sent = { db, definition, ...body, actor: customerActor(principal) };
        return ok(present(await writeDocument(deps, address, sent), definition));
      }
      const texts = readTexts(found, body, clock.now());
      return ok(present(await write(deps, at, { field: found, texts }), definition));
    },
  });
}

function emptyRoute(deps: ApiDeps): CustomerRoute {
  return DELETE(PATH, "Clear an optional requirement", {
    description: "In draft and rejection. A mandatory requirement cannot be cleared.",
    answers: { 204: null },
    refuses: ["invalid_state"],
    params,
    find: findField,
    handle: async (request) => {
      const field = await findField(request);
      await write(deps, request, { field, texts: clearedTexts(field) });
      return noContent();
    },
  });
}

function profileRoute({ terms }: ApiDeps): CustomerRoute {
  return GET("/v2/porting_requirements", "List the requirements for a country and number type", {
    description: "What an order of this kind will ask for, with an example of every value.",
    answers: { 200: listOf(requirementDefinitionAnswer) },
    query: z.strictObject({
      country_code: z
        .string()
        .regex(/^[A-Za-z]{2}$/, "It must be two letters, such as US.")
        .transform((text) => text.toUpperCase())
        .meta({
          description: "Country of the numbers: ISO 3166-1 alpha-2, in any case",
          examples: ["US"],
        }),
      number_type: z.enum(NUMBER_TYPES).describe("Type of the numbers"),
    }),
    handle: ({ query: { country_code: country, number_type: type } }) => {
      const profile = profileOf(country, type);
      if (profile === null) {
        const detail = unsupportedKind({ country_code: country, number_type: type });
        throw new AppError("invalid_parameter", detail, {
          faults: [{ parameter: "country_code", code: "country_not_supported", detail }],
        });
      }
      const data = profile.map((one) => presentDefinition(one, terms(country, null), type));
      return ok({ data, has_more: false });
    },
  });
}
