import { Suspense } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { Caught } from "../ui/caught.tsx";
import { fetched } from "../ui/fetched.tsx";
import { Empty, Failure, Skeleton } from "../ui/states.tsx";
import { useFetchedAhead } from "../ui/use-fetched-ahead.ts";
import { NoSession } from "./session/no-session.tsx";
import { OpenLink } from "./session/open-link.tsx";
import { SessionContext, useSession } from "./session/session.ts";
import { useSessionEnd } from "./session/use-session-end.ts";
import { Shell } from "./shell/shell.tsx";

const orders = fetched(() => import("./orders/orders-page.tsx"));
const order = fetched(() => import("./orders/order-page.tsx"));
const deliveries = fetched(() => import("./deliveries/deliveries-page.tsx"));
const delivery = fetched(() => import("./deliveries/delivery-page.tsx"));
const endpoints = fetched(() => import("./endpoints/endpoints-page.tsx"));
const endpoint = fetched(() => import("./endpoints/endpoint-page.tsx"));
const endUser = fetched(() => import("./end-user/end-user-page.tsx"));

/** The screens of an account, without the one of an order's end user. */
const ACCOUNT_SCREENS = [orders, order, deliveries, delivery, endpoints, endpoint];

/** The customers' portal: opening a link first, then the account's pages, or one order's for its end user. */
export function App() {
  return (
    <Router base="/portal">
      <Switch>
        <Route path="/open">
          <OpenLink />
        </Route>
        <Route>
          <Signed />
        </Route>
      </Switch>
    </Router>
  );
}

function Signed() {
  const { data: session, error, refetch } = useSession();
  const [path] = useLocation();
  useSessionEnd();
  // The session is asked for again while one works; that it fails leaves the page as it is.
  if (session === undefined) {
    return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (session === null) return <NoSession />;
  return (
    <SessionContext value={session}>
      <Caught path={path}>
        <Suspense fallback={<Skeleton />}>
          {session.order_id === null ? (
            <AccountPages />
          ) : (
            <endUser.Component orderId={session.order_id} />
          )}
        </Suspense>
      </Caught>
    </SessionContext>
  );
}

function AccountPages() {
  const [path] = useLocation();
  useFetchedAhead(ACCOUNT_SCREENS);
  return (
    <Shell>
      <Caught path={path}>
        <Suspense fallback={<Skeleton />}>
          <Switch>
            <Route path="/orders" component={orders.Component} />
            <Route path="/orders/:id">{({ id }) => <order.Component key={id} id={id} />}</Route>
            <Route path="/deliveries" component={deliveries.Component} />
            <Route path="/deliveries/:id">{({ id }) => <delivery.Component id={id} />}</Route>
            <Route path="/endpoints" component={endpoints.Component} />
            <Route path="/endpoints/:id">{({ id }) => <endpoint.Component id={id} />}</Route>
            <Route path="/">
              <Redirect to="/orders" replace />
            </Route>
            <Route>
              <Empty title="There is no such page">The address may be mistyped.</Empty>
            </Route>
          </Switch>
        </Suspense>
      </Caught>
    </Shell>
  );
}
