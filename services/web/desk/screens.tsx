import { lazy, type ComponentType } from "react";
import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";

export interface ScreenProps {
  /** The parts of the path that its pattern names. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Screen {
  /** wouter's pattern: `/reviews/:id`. */
  readonly path: string;
  /** The screen's name in the navigation; absent where no link leads to it from everywhere. */
  readonly nav?: string;
  /** The least role that has something to do there; everybody's unless given. */
  readonly least?: OperatorRole;
  /** The key after `g` that goes there. */
  readonly goKey?: string;
  /** Lazy, so that a screen's code is fetched when it is first opened. */
  readonly Component: ComponentType<ScreenProps>;
}

/** Every screen of the desk, in the order of the navigation; the first match of a path is shown. */
export const SCREENS: readonly Screen[] = [
  {
    path: "/reviews",
    nav: "Reviews",
    goKey: "q",
    Component: lazy(() => import("./reviews/queue/queue-page.tsx")),
  },
  { path: "/reviews/:id", Component: lazy(() => import("./reviews/case/case-page.tsx")) },
  {
    path: "/orders",
    nav: "Orders",
    goKey: "o",
    Component: lazy(() => import("./orders/orders-page.tsx")),
  },
  { path: "/orders/:id/messages", Component: lazy(() => import("./orders/trace-page.tsx")) },
  { path: "/orders/:id", Component: lazy(() => import("./orders/order-page.tsx")) },
  {
    path: "/port-outs",
    nav: "Port-outs",
    goKey: "p",
    Component: lazy(() => import("./port-outs/port-outs-page.tsx")),
  },
  {
    path: "/numbers",
    nav: "Numbers",
    Component: lazy(() => import("./numbers/numbers-page.tsx")),
  },
  {
    path: "/carriers",
    nav: "Carriers",
    Component: lazy(() => import("./carriers/carriers-page.tsx")),
  },
  {
    path: "/accounts",
    nav: "Accounts",
    goKey: "a",
    Component: lazy(() => import("./accounts/accounts-page.tsx")),
  },
  {
    path: "/accounts/:id",
    Component: lazy(() => import("./accounts/account-page.tsx")),
  },
  {
    path: "/webhooks",
    nav: "Webhooks",
    goKey: "w",
    Component: lazy(() => import("./webhooks/webhooks-page.tsx")),
  },
  {
    path: "/dead-letters",
    nav: "Dead letters",
    goKey: "d",
    Component: lazy(() => import("./dead-letters/dead-letters-page.tsx")),
  },
  {
    path: "/health",
    nav: "Health",
    goKey: "h",
    Component: lazy(() => import("./health/health-page.tsx")),
  },
  {
    path: "/team",
    nav: "Team",
    goKey: "t",
    Component: lazy(() => import("./team/team-page.tsx")),
  },
  {
    path: "/audit",
    nav: "Audit log",
    goKey: "l",
    Component: lazy(() => import("./audit/audit-page.tsx")),
  },
  {
    path: "/operators",
    nav: "Operators",
    least: "admin",
    Component: lazy(() => import("./operators/operators-page.tsx")),
  },
];
