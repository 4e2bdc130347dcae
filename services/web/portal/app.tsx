import { lazy, Suspense } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import { Empty, Failure, Skeleton } from "../ui/states.tsx";
import { NoSession } from "./session/no-session.tsx";
import { OpenLink } from "./session/open-link.tsx";
import { SessionContext, useSession } from "./session/session.ts";
import { useSessionEnd } from "./session/use-session-end.ts";
import { Shell } from "./shell/shell.tsx";

const OrdersPage = lazy(() => import("./orders/orders-page.tsx"));
const OrderPage = lazy(() => import("./orders/order-page.tsx"));
const DeliveriesPage = lazy(() => import("./deliveries/deliveries-page.tsx"));
const DeliveryPage = lazy(() => import("./deliveries/delivery-page.tsx"));
const EndpointsPage = lazy(() => import("./endpoints/endpoints-page.tsx"));
const EndpointPage = lazy(() => import("./endpoints/endpoint-page.tsx"));
const EndUserPage = lazy(() => import("./end-user/end-user-page.tsx"));

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
  useSessionEnd();
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (session === undefined) return <Skeleton />;
  if (session === null) return <NoSession />;
  return (
    <SessionContext value={session}>
      <Suspense fallback={<Skeleton />}>
        {session.order_id === null ? <AccountPages /> : <EndUserPage orderId={session.order_id} />}
      </Suspense>
    </SessionContext>
  );
}

function AccountPages() {
  return (
    <Shell>
      <Suspense fallback={<Skeleton />}>
        <Switch>
          <Route path="/orders" component={OrdersPage} />
          <Route path="/orders/:id">{({ id }) => <OrderPage key={id} id={id} />}</Route>
          <Route path="/deliveries" component={DeliveriesPage} />
          <Route path="/deliveries/:id">{({ id }) => <DeliveryPage id={id} />}</Route>
          <Route path="/endpoints" component={EndpointsPage} />
          <Route path="/endpoints/:id">{({ id }) => <EndpointPage id={id} />}</Route>
          <Route path="/">
            <Redirect to="/orders" replace />
          </Route>
          <Route>
            <Empty title="There is no such page">The address may be mistyped.</Empty>
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
