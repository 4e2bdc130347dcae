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
import { checkValue, MAX_VALUE_LENGTH } from "./check-value.ts";
import {
  fieldTypeOf,
  type RequirementDefinition,
} from "../../domain/countries/fields/requirement-definition.ts";
import { AppError } from "../../platform/errors.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
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

interface FoundField {
  readonly definition: RequirementDefinition;
  /** The order's numbers. */
  readonly phoneNumbers: readonly string[];
}

/** The requirement addressed by a request, in an order of the account. @throws `not_found` */
async function findField({ db, principal, params }: FieldAddress): Promise<FoundField> {
  const { id, slug } = params;
  const order = await findOrder(db, principal.accountId, id);
  const isAsked = order.requirements.some((requirement) => requirement.slug === slug);
  const definition = isAsked ? definitionOf(order, slug) : null;
  if (definition === null) throw new AppError("not_found", "The order has no such requirement.");
  return { definition, phoneNumbers: order.numbers.map((number) => number.phone_number) };
}

interface NewText {
  readonly definition: RequirementDefinition;
  readonly value: { readonly kind: "text"; readonly text: string } | { readonly kind: "empty" };
}

async function write({ bus, box }: ApiDeps, at: FieldAddress, field: NewText): Promise<Order> {
  const address = { accountId: at.principal.accountId, orderId: at.params.id };
  const decision = { actor: customerActor(at.principal), now: bus.clock.now() };
  return writeRequirement({ ...bus, db: at.db, box }, address, { ...field, ...decision });
}

function textOf({ definition, phoneNumbers }: FoundField, sent: string, now: Date) {
  const checked = checkValue(definition, sent, { phoneNumbers, now });
  if ("value" in checked) return { kind: "text", text: checked.value } as const;
  throw new AppError("validation_failed", "The value is not accepted.", {
    faults: [{ pointer: "#/field_value", ...checked.fault }],
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
      "JSON for a value, `multipart/form-data` for a requirement of type `document`. A value and a document's age are checked at once. In draft and rejection any requirement may be set again, which also clears its exception.",
    answers: { 200: requirementAnswer },
    refuses: ["invalid_state", "quota_exceeded"],
    params,
    body: z
      .strictObject({
        field_value: textUpTo(MAX_VALUE_LENGTH).meta({
          description: "The value, in the form that `acceptance_criteria` states",
          examples: ["8772-114-90210"],
        }),
      })
      .meta({ examples: [{ field_value: "8772-114-90210" }] }),
    form: { fields: documentForm(clock), maxFileBytes: MAX_DOCUMENT_BYTES },
    resolve: async (request) => {
      const found = await findField(request);
      return { takes: fieldTypeOf(found.definition) === "document" ? "form" : "json", found };
    },
    handle: async ({ db, principal, params, body, found }) => {
      const at = { db, principal, params };
      const { definition } = found;
      if ("file" in body) {
        const address = { accountId: principal.accountId, orderId: params.id };
        const sent = { db, definition, ...body, actor: customerActor(principal) };
        return ok(present(await writeDocument(deps, address, sent), definition));
      }
      const value = textOf(found, body.field_value, clock.now());
      return ok(present(await write(deps, at, { definition, value }), definition));
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
      const { definition } = await findField(request);
      await write(deps, request, { definition, value: { kind: "empty" } });
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
