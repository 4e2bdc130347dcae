import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { countAnyNumbers, findAnyNumber, listAnyNumbers, type DeskNumberFilter } from "./store.ts";
import { changeProvider } from "../../domain/number/store/change-number.ts";
import {
  phoneNumberField,
  phoneNumberParameter,
} from "../../domain/number/answers/number-fields.ts";
import { PLATFORM_PROVIDER } from "../../messages/platform-provider.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import type { CreatedWithin } from "../../platform/db/id-range.ts";
import { AppError } from "../../platform/errors.ts";
import { uuid, writtenText } from "../../platform/http/body/fields.ts";
import {
  pageOf,
  pageQuery,
  pageRows,
  scanFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { exportRoute } from "../lists/export-route.ts";
import { countedListOf, ordered, orderQuery, totalQuery, withTotal } from "../lists/list-query.ts";
import { readSearchTerm } from "../orders/store/find-orders.ts";
import { deskNumberAnswer } from "./answers.ts";
import { moveRoutes } from "./move-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import {
  byOperator,
  lead,
  viewer,
  type DeskRoute,
  type OperatorRequest,
} from "../access/desk-routes.ts";

const PATH = "/desk/v1/numbers";

const numberFilters = {
  account_id: uuid().optional().describe("Numbers of this account"),
  phone_number: phoneNumberParameter("This number, in E.164").optional(),
  provider: z
    .string()
    .optional()
    .meta({ description: "Numbers that it hosts", examples: ["sandbox"] }),
  status: z
    .array(z.enum(["active", "porting_out"]))
    .optional()
    .describe("Numbers in any of these statuses"),
  source: z.enum(["ported", "imported"]).optional().describe("Numbers that came so"),
} satisfies FilterParameters<Omit<DeskNumberFilter, "endings" | keyof CreatedWithin>>;

const search = writtenText(128)
  .optional()
  .meta({
    description: "A number in any form, or its last 4 or more digits",
    examples: ["0123"],
  });

const listQuery = z.strictObject({
  q: search,
  ...pageQuery,
  ...orderQuery("phone_number", "By number, and not by when it was activated"),
  ...totalQuery,
  starting_after: phoneNumberParameter("The number that the page follows").optional(),
  ending_before: phoneNumberParameter("The number that the page precedes").optional(),
  ...numberFilters,
});

type Query = z.output<typeof listQuery>;

function filterOf({ q, ...filters }: Query): DeskNumberFilter {
  return q === undefined ? filters : { ...filters, endings: readSearchTerm(q).lastDigits };
}

async function readPage({ db }: Pick<OperatorRequest, "db">, given: Query) {
  const query = ordered(given);
  const { order_by: orderBy = "activated_at" } = query;
  const scan = await scanFrom(query, (id) => findAnyNumber(db, id));
  const rows = await listAnyNumbers(db, { scan, filter: filterOf(query), orderBy });
  const idOf = (row: object) =>
    encodeURIComponent("phone_number" in row ? String(row.phone_number) : "");
  return { ...pageRows(rows, query), idOf };
}

/** The numbers of all accounts, and which provider hosts them. */
export function numberRoutes(deps: DeskDeps): DeskRoute[] {
  const { bus, providers } = deps;
  return [
    viewer.GET(PATH, "List the numbers of all accounts", {
      description:
        "Numbers that are active or about to leave; filters that are combined must all match.",
      answers: { 200: countedListOf(deskNumberAnswer) },
      query: listQuery,
      handle: async (request) => {
        const reply = pageOf(request, await readPage(request, request.query));
        const all = { range: countedRange({}), filter: filterOf(request.query) };
        return withTotal(request, reply, () => countAnyNumbers(request.db, all));
      },
    }),
    exportRoute(PATH, {
      name: "numbers",
      answer: deskNumberAnswer,
      query: listQuery,
      read: readPage,
    }),
    providerRoute(bus, providers),
    ...moveRoutes(deps, () => hostsOf(providers)),
  ];
}

function providerRoute(bus: RouteBus, providers: Providers): DeskRoute {
  return lead.POST(`${PATH}/:phone_number/provider`, "Change the provider that hosts a number", {
    operationId: "changeNumberProvider",
    description:
      "Corrects where the number is hosted: `number.provider_changed` is sent, and forwarding is applied again at the new provider.",
    answers: { 200: deskNumberAnswer },
    refuses: ["invalid_state"],
    params: { phone_number: phoneNumberField.describe("The number, in E.164") },
    find: ({ db, params }) => findAnyNumber(db, params.phone_number),
    body: z.strictObject({
      provider: z
        .string()
        .min(1)
        .max(64)
        .meta({
          description: "The name of a provider's file; not `platform`, which hosts no numbers",
          examples: ["sandbox"],
        }),
    }),
    handle: async (request) => {
      const { db } = request;
      const { phone_number } = request.params;
      const { provider } = request.body;
      requireProvider(providers, provider);
      const now = bus.clock.now();
      await changeProvider({ ...bus, db, providers }, phone_number, {
        provider,
        now,
        also: (tx, before) =>
          writeAudit(tx, {
            ...byOperator(request, now),
            action: "number.provider_changed",
            accountId: before.account_id,
            portingOrderId: before.porting_order_id,
            before: { phone_number, provider: before.provider },
            after: { phone_number, provider },
          }),
      });
      return ok(await findAnyNumber(db, phone_number));
    },
  });
}

function hostsOf(providers: Providers): readonly string[] {
  return [...providers.keys()].filter((name) => name !== PLATFORM_PROVIDER).toSorted();
}

/** @throws `validation_failed` for a provider that is not in the carrier files, or that hosts no numbers */
function requireProvider(providers: Providers, provider: string): void {
  const hosts = hostsOf(providers);
  if (hosts.includes(provider)) return;
  const detail = `No provider ${JSON.stringify(provider)} hosts numbers; there are ${hosts.join(", ")}.`;
  throw new AppError("validation_failed", detail, {
    faults: [{ pointer: "#/provider", code: "unknown_provider", detail }],
  });
}
