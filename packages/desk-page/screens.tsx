import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { matchRoute, useLocation, useRouter } from "wouter";
import {
  includesRole,
  type OperatorRole,
} from "../../services/domain/account/rules/operator-role.ts";
import { fetched, type Fetched } from "../ui/fetched.tsx";
import { filtersOf, queryOf } from "./reviews/queue/filters.ts";
import { queueQuery } from "./reviews/reviews.ts";
import { useOperator, wasSignedIn } from "./session.ts";

export interface ScreenProps {
  /** The parts of the path that its pattern names. */
  readonly params: Readonly<Record<string, string>>;
}

interface Screen extends Fetched<ScreenProps> {
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
  { path: "/port-outs/:id", ...fetched(() => import("./port-outs/port-out-page.tsx")) },
  {
    path: "/numbers",
    nav: "Numbers",
    ...fetched(() => import("./numbers/numbers-page.tsx")),
  },
  { path: "/numbers/:number", ...fetched(() => import("./numbers/number-page.tsx")) },
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
  { path: "/webhooks/:id", ...fetched(() => import("./webhooks/endpoint-page.tsx")) },
  {
    path: "/deliveries",
    nav: "Deliveries",
    goKey: "e",
    ...fetched(() => import("./webhooks/deliveries-page.tsx")),
  },
  { path: "/deliveries/:id", ...fetched(() => import("./webhooks/delivery-page.tsx")) },
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

/** The screens that the operator's role has something to do on. */
export function useScreens(): readonly Screen[] {
  const { role } = useOperator();
  return useMemo(
    () => SCREENS.filter(({ least }) => least === undefined || includesRole(role, least)),
    [role],
  );
}

/** Fetches the code of the screen that is opened, and what it shows first, beside the session and not after it. */
export function useFirstScreen(): void {
  const { parser } = useRouter();
  const [path] = useLocation();
  const client = useQueryClient();
  useEffect(() => {
    const first = SCREENS.find((screen) => matchRoute(parser, screen.path, path)[0]) ?? SCREENS[0];
    const search = new URLSearchParams(window.location.search);
    // What fails here is fetched again, and reported, when the screen is shown.
    first?.load().catch(() => undefined);
    if (wasSignedIn()) first?.ask?.(client, search).catch(() => undefined);
  }, [parser, path, client]);
}

/** Asks for what the screen at a path shows first, because it is likely to be opened next. */
export function useAskingAhead(): (path: string) => void {
  const client = useQueryClient();
  const screens = useScreens();
  return (path) => {
    const next = screens.find((screen) => screen.path === path);
    // What fails here is asked for again, and reported, when the screen is shown.
    next?.ask?.(client, new URLSearchParams()).catch(() => undefined);
  };
}
