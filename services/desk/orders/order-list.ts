import { z } from "zod";
import {
  countryCodeParameter,
  phoneNumberParameter,
} from "../../domain/number/answers/number-fields.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import { idRange } from "../../platform/db/id-range.ts";
import { instant, textUpTo, uuid, writtenText } from "../../platform/http/body/fields.ts";
import {
  pageOf,
  pageQuery,
  pageRows,
  scanFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { viewer, type DeskRoute, type OperatorRequest } from "../access/desk-routes.ts";
import { exportRoute } from "../lists/export-route.ts";
import { countedListOf, ordered, orderQuery, totalQuery, withTotal } from "../lists/list-query.ts";
import { orderSummaryAnswer } from "./answers.ts";
import { presentOrderSummary, showOrders, type ShowDeps } from "./show-orders.ts";
import {
  countAnyOrders,
  findAnyOrder,
  listAnyOrders,
  readSearchTerm,
  requireAnyOrder,
  type DeskOrderFilter,
} from "./store/find-orders.ts";

const PATH = "/desk/v1/orders";

const text = () => textUpTo(128, z.string().min(1));

const search = writtenText(128)
  .optional()
  .meta({
    description:
      "A number in any form or its last 4 or more digits, a whole reference in any case, the id of an order or an account, or part of an account's name",
    examples: ["0123"],
  });

/** The filters of the desk's list of orders, beside the search. */
const orderFilters = {
  id: uuid().optional().describe("The order with this id"),
  account_id: uuid().optional().describe("Orders of this account"),
  batch_id: uuid().optional().describe("Orders of one request"),
  status: z.array(z.enum(ORDER_STATUSES)).optional().describe("Orders in any of these statuses"),
  provider: text()
    .optional()
    .meta({ description: "Orders of this provider", examples: ["manual"] }),
  losing_carrier: textUpTo(128, z.string().trim().min(1))
    .optional()
    .meta({
      description: "Orders from this carrier, by its whole name in any case",
      examples: ["Verizon"],
    }),
  country_code: countryCodeParameter("Orders for numbers of this country").optional(),
  customer_reference: text()
    .optional()
    .meta({ description: "Orders with exactly this reference", examples: ["first port"] }),
  phone_number: phoneNumberParameter("Orders with this number, in E.164").optional(),
  attention: z
    .enum(["true", "false"])
    .transform((given) => given === "true")
    .optional()
    .meta({
      description: "Orders that the desk has to look at, or those that it need not",
    }),
  foc_after: instant().optional().describe("Orders whose foc_actual is at or after this time"),
  foc_before: instant().optional().describe("Orders whose foc_actual is before this time"),
} satisfies FilterParameters<Omit<DeskOrderFilter, "search">>;

const orderListQuery = z.strictObject({
  ...pageQuery,
  ...orderQuery("foc_actual", "Those that have a `foc_actual`, by it"),
  ...totalQuery,
  q: search,
  ...orderFilters,
});

type OrderListQuery = z.output<typeof orderListQuery>;

/** The list of the orders of all accounts, also as a file. */
export function orderListRoutes(desk: ShowDeps): DeskRoute[] {
  return [listRoute(desk), exportOrdersRoute(desk)];
}

function listRoute(desk: ShowDeps): DeskRoute {
  return viewer.GET(PATH, "List the orders of all accounts", {
    description: "Summaries, newest first; filters that are combined must all match.",
    answers: { 200: countedListOf(orderSummaryAnswer) },
    query: orderListQuery,
    handle: async (request) => {
      const { db, query } = request;
      const reply = pageOf(request, await readOrders(desk, request, query));
      const found = { filter: filterOf(query), now: desk.bus.clock.now() };
      const range = countedRange(query);
      const byFoc = query.order_by === undefined ? undefined : { ...range, cursorId: null };
      return withTotal(request, reply, () => countAnyOrders(db, { ...found, range, byFoc }));
    },
  });
}

function filterOf({ q, ...given }: OrderListQuery): DeskOrderFilter {
  return { ...given, search: q === undefined ? undefined : readSearchTerm(q) };
}

async function readOrders(
  desk: ShowDeps,
  { db }: Pick<OperatorRequest, "db">,
  given: OrderListQuery,
) {
  const query = ordered(given);
  const isByFoc = query.order_by !== undefined;
  const scan = await scanFrom(query, async (id) =>
    isByFoc ? (await findAnyOrder(db, id)).foc_actual : requireAnyOrder(db, id),
  );
  const found = { filter: filterOf(given), now: desk.bus.clock.now() };
  const range = idRange(isByFoc ? { ...scan, cursorId: null } : scan, query);
  const orders = await listAnyOrders(db, { ...found, range, byFoc: isByFoc ? scan : undefined });
  return pageRows(await showOrders({ ...desk, db }, orders, presentOrderSummary), query);
}

function exportOrdersRoute(desk: ShowDeps): DeskRoute {
  return exportRoute(PATH, {
    name: "orders",
    answer: orderSummaryAnswer,
    query: orderListQuery,
    read: (request, query) => readOrders(desk, request, query),
  });
}
