import { Redirect, Route, Router, Switch } from "wouter";
import { PagePlace } from "../ui/page-place.tsx";
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
  useSessionEnd();
  // The session is asked for again while one works; that it fails leaves the page as it is.
  if (session === undefined) {
    return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (session === null) return <NoSession />;
  return (
    <SessionContext value={session}>
      <PagePlace>
        {session.order_id === null ? (
          <AccountPages />
        ) : (
          <endUser.Component orderId={session.order_id} />
        )}
      </PagePlace>
    </SessionContext>
  );
}

function AccountPages() {
  useFetchedAhead(ACCOUNT_SCREENS);
  return (
    <Shell>
      <PagePlace>
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
      </PagePlace>
    </Shell>
  );
}
