import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { STATUSES as REPORTED } from "../examples/analytics/report/order-sections.ts";
import { ENDED } from "../packages/cli/commands/orders.ts";
import { describedRoutes } from "../services/api/routes.ts";
import { ORDER_STATUSES } from "../services/domain/order/rules/order.ts";
import { factsOf, isEnded } from "../services/domain/order/rules/status-facts.ts";
import { STATUS_UPDATE_KINDS } from "../services/domain/order/rules/status-update.ts";
import { EVENT_TYPES, SENT_EVENT_TYPES } from "../services/messages/events.ts";
import { pageQuery } from "../services/platform/http/paging.ts";
import { scriptFor } from "../services/sandbox-carrier/script.ts";
import { buildCarrierRequest } from "../test/support/carriers/carrier-request-factory.ts";
import { everyDeskRoute } from "../test/support/desk/every-desk-route.ts";
import { projectRoot } from "./project-root.ts";

const read = (name: string): string => readFileSync(join(projectRoot, name), "utf8");

const CUSTOMERS = read("docs/contract/customer-api.md");
const SPECIFICATION = read("docs/contract/interface-specification.md");
const MESSAGES = read("docs/contract/messages.md");

/** The text below a heading, up to the next. */
function section(document: string, heading: string): string {
  return document.split(`\n${heading}`)[1]?.split("\n#")[0] ?? "";
}

/** The cells of a table's row, without the backticks. */
function cellsOf(row: string): string[] {
  return row
    .replaceAll("`", "")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const wordsOf = (text: string): Set<string> => new Set(text.match(/\w+/g));

const APIS = {
  "the customers' API": { routes: describedRoutes(), contract: CUSTOMERS + SPECIFICATION },
  "the desk's API": { routes: everyDeskRoute(), contract: read("docs/contract/desk-api.md") },
};

describe.each(Object.entries(APIS))("the contract of %s", (_name, { routes, contract }) => {
  it("names every path", () => {
    const unnamed = routes
      .map(({ path }) => path)
      .filter((path) => !path.startsWith("/portal/"))
      .filter((path) =>
        path
          .split("/")
          .slice(2)
          .some((part) => !part.startsWith(":") && !contract.includes(`/${part}`)),
      );
    expect(unnamed).toEqual([]);
  });

  it("names every filter of the list of orders", () => {
    const list = routes.find(({ method, path }) => method === "GET" && path.endsWith("orders"));
    const filters = Object.keys(list?.query?.shape ?? {}).filter((name) => !(name in pageQuery));
    const row = contract.split("\n").find((line) => /^\| GET `(?:\/orders)?`.*filters/.test(line));
    expect(filters.length).toBeGreaterThan(5);
    expect(filters.filter((name) => name !== "include" && !wordsOf(row ?? "").has(name))).toEqual(
      [],
    );
  });
});

describe("the statuses of an order", () => {
  it("are explained to customers, with whose move it is", () => {
    const rows = section(read("docs/guides/concepts.md"), "## Order\n").match(/^\| `.+$/gm) ?? [];
    const whose = {
      customer: "yours",
      desk: "the desk's",
      carrier: "the carrier's",
      none: "nobody's",
    };
    expect(rows.map(cellsOf).map(([status, , move]) => [status, move])).toEqual(
      ORDER_STATUSES.map((status) => [status, whose[factsOf(status).actor]]),
    );
  });

  it("are in the contract's table of transitions", () => {
    const named = wordsOf(section(CUSTOMERS, "### Transitions"));
    expect(ORDER_STATUSES.filter((status) => !named.has(status))).toEqual([]);
  });

  it("are those that the report of the analytics and the command line know", () => {
    const isOver = (status: (typeof ORDER_STATUSES)[number]): boolean => isEnded({ status });
    expect(REPORTED.toSorted()).toEqual(ORDER_STATUSES.filter((one) => !isOver(one)).toSorted());
    expect([...ENDED]).toEqual(ORDER_STATUSES.filter(isOver));
  });
});

describe("the kinds of a carrier's status update", () => {
  it("are in the contract and in the guide for carriers", () => {
    const [, inContract = ""] = /`CarrierUpdate \{.*?kind\?: ([\w|]+)/.exec(MESSAGES) ?? [];
    expect(inContract.split("|").toSorted()).toEqual(STATUS_UPDATE_KINDS.toSorted());
    const table = section(read("docs/carriers.md"), "## Updates\n").match(/^\| `.+?\|/gm) ?? [];
    const inGuide = table.slice(1).flatMap((cell) => [...wordsOf(cell)]);
    expect(inGuide.toSorted()).toEqual(STATUS_UPDATE_KINDS.toSorted());
  });

  it("are played by the sandbox, by endings that its guide has, but for the desk's comment", () => {
    const endings = read("docs/sandbox.md").match(/(?<=^\| )\d{4}(?= )/gm) ?? [];
    const played = endings.flatMap((ending) =>
      (["submit", "cancel", "supplement"] as const).flatMap((kind) => {
        const phone_numbers = [`+1212555${ending}`];
        const asked = { change_id: "1", foc_requested: null, remove_phone_numbers: [] };
        const change = kind === "supplement" ? asked : null;
        const request = buildCarrierRequest({ kind, phone_numbers, change });
        return scriptFor(request, { requestedAt: 0, stepMs: 1, termsOf: () => null }).flat();
      }),
    );
    const kinds = new Set(played.map(({ kind }) => kind));
    expect(STATUS_UPDATE_KINDS.filter((kind) => !kinds.has(kind))).toEqual(["comment"]);
  });
});

describe("the types of events", () => {
  it("are as many as the contract says", () => {
    expect(Number(/the (\d+) names/.exec(CUSTOMERS)?.[1])).toBe(EVENT_TYPES.length);
  });

  it("have their payloads in the contract", () => {
    const described =
      section(SPECIFICATION, "### Payload shapes") +
      section(CUSTOMERS, "## Payloads the specification does not describe");
    const isDescribed = (type: string): boolean =>
      described.includes(`${type} `) ||
      described.includes(`\`${type}\``) ||
      described.includes(`\`${type.split(".")[0] ?? ""}.*\``);
    expect(SENT_EVENT_TYPES.filter((type) => !isDescribed(type))).toEqual([]);
  });
});
