import type { QueryClient } from "@tanstack/react-query";
import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { fetched, type Fetched } from "../ui/fetched.tsx";
import { queueQuery } from "./reviews/queries.ts";
import { filtersOf, queryOf } from "./reviews/queue/filters.ts";

export interface ScreenProps {
  /** The parts of the path that its pattern names. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Screen extends Fetched<ScreenProps> {
  /** wouter's pattern: `/reviews/:id`. */
  readonly path: string;
  /** The screen's name in the navigation; absent where no link leads to it from everywhere. */
  readonly nav?: string;
  /** The least role that has something to do there; everybody's unless given. */
  readonly least?: OperatorRole;
  /** The key after `g` that goes there. */
  readonly goKey?: string;
  /** Asks for what the screen shows first, before its code is there to ask. */
  readonly ask?: (client: QueryClient, search: URLSearchParams) => Promise<unknown>;
}

/** Every screen of the desk, in the order of the navigation; the first match of a path is shown. */
export const SCREENS: readonly Screen[] = [
  {
    path: "/reviews",
    nav: "Reviews",
    goKey: "q",
    ask: (client, search) => client.query(queueQuery(queryOf(filtersOf(search)))),
    ...fetched(() => import("./reviews/queue/queue-page.tsx")),
  },
  { path: "/reviews/:id", ...fetched(() => import("./reviews/case/case-page.tsx")) },
  {
    path: "/orders",
    nav: "Orders",
    goKey: "o",
    ...fetched(() => import("./orders/orders-page.tsx")),
  },
  { path: "/orders/:id/messages", ...fetched(() => import("./orders/trace-page.tsx")) },
  { path: "/orders/:id", ...fetched(() => import("./orders/order-page.tsx")) },
  {
    path: "/port-outs",
    nav: "Port-outs",
    goKey: "p",
    ...fetched(() => import("./port-outs/port-outs-page.tsx")),
  },
  {
    path: "/numbers",
    nav: "Numbers",
    ...fetched(() => import("./numbers/numbers-page.tsx")),
  },
  {
    path: "/carriers",
    nav: "Carriers",
    ...fetched(() => import("./carriers/carriers-page.tsx")),
  },
  {
    path: "/accounts",
    nav: "Accounts",
    goKey: "a",
    ...fetched(() => import("./accounts/accounts-page.tsx")),
  },
  {
    path: "/accounts/:id",
    ...fetched(() => import("./accounts/account-page.tsx")),
  },
  {
    path: "/webhooks",
    nav: "Webhooks",
    goKey: "w",
    ...fetched(() => import("./webhooks/webhooks-page.tsx")),
  },
  {
    path: "/dead-letters",
    nav: "Dead letters",
    goKey: "d",
    ...fetched(() => import("./dead-letters/dead-letters-page.tsx")),
  },
  {
    path: "/health",
    nav: "Health",
    goKey: "h",
    ...fetched(() => import("./health/health-page.tsx")),
  },
  {
    path: "/team",
    nav: "Team",
    goKey: "t",
    ...fetched(() => import("./team/team-page.tsx")),
  },
  {
    path: "/audit",
    nav: "Audit log",
    goKey: "l",
    ...fetched(() => import("./audit/audit-page.tsx")),
  },
  {
    path: "/operators",
    nav: "Operators",
    least: "admin",
    ...fetched(() => import("./operators/operators-page.tsx")),
  },
];
