import { lazy, useState, type ComponentType } from "react";
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
  /** Fetches the screen's code, unless that has come. */
  readonly load: Load;
  readonly Component: ComponentType<ScreenProps>;
}

type Load = () => Promise<{ readonly default: ComponentType<ScreenProps> }>;

/**
 * A screen whose code is no part of the entry, so that the first one comes soon. Once it has come it is shown without
 * React's fallback, which stays for 300 ms.
 */
function fetched(load: Load): Pick<Screen, "load" | "Component"> {
  let come: ComponentType<ScreenProps> | null = null;
  const keep: Load = async () => {
    const module = await load();
    come = module.default;
    return module;
  };
  const Coming = lazy(keep);
  const Component = (props: ScreenProps) => {
    const [Shown] = useState(() => come ?? Coming);
    return <Shown {...props} />;
  };
  return { load: keep, Component };
}

/** Every screen of the desk, in the order of the navigation; the first match of a path is shown. */
export const SCREENS: readonly Screen[] = [
  {
    path: "/reviews",
    nav: "Reviews",
    goKey: "q",
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
