import { useEffect } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import "../ui/base.css";
import { fetched, useFetchedAhead } from "../ui/fetched.tsx";
import { mount } from "../ui/mount.tsx";
import { ENGLISH, sayIn } from "../ui/own-words.ts";
import { Empty, Failure, PagePlace, Skeleton } from "../ui/states.tsx";
import { SessionContext, useSession, useSessionEnd } from "./session.ts";
import { Shell } from "./shell.tsx";

const orders = fetched(() => import("./orders/orders-page.tsx"));
const order = fetched(() => import("./orders/order-page.tsx"));
const newOrder = fetched(() => import("./orders/new/new-order-page.tsx"));
const holders = fetched(() => import("./holders/holders-page.tsx"));
const numbers = fetched(() => import("./numbers/numbers-page.tsx"));
const number = fetched(() => import("./numbers/number-page.tsx"));
const portOuts = fetched(() => import("./port-outs/port-outs-page.tsx"));
const portOut = fetched(() => import("./port-outs/port-out-page.tsx"));
const events = fetched(() => import("./events/events-page.tsx"));
const event = fetched(() => import("./events/event-page.tsx"));
const deliveries = fetched(() => import("./deliveries/deliveries-page.tsx"));
const delivery = fetched(() => import("./deliveries/delivery-page.tsx"));
const endpoints = fetched(() => import("./endpoints/endpoints-page.tsx"));
const endpoint = fetched(() => import("./endpoints/endpoint-page.tsx"));
const appearance = fetched(() => import("./appearance/appearance-page.tsx"));
const openLink = fetched(() => import("./end-user/open-link.tsx"));
const noSession = fetched(() => import("./end-user/no-session.tsx"));
const endUser = fetched(() => import("./end-user/end-user-page.tsx"));

/** The screens of an account, without the one of an order's end user. */
const ACCOUNT_SCREENS = [
  ...[orders, order, newOrder, holders, numbers, number, portOuts, portOut],
  ...[events, event, deliveries, delivery, endpoints, endpoint, appearance],
];

/** The customers' portal: opening a link first, then the account's pages, or one order's for its end user. */
function App() {
  return (
    <Router base="/portal">
      <Switch>
        <Route path="/open">
          <PagePlace>
            <openLink.Component />
          </PagePlace>
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
  if (session === null) {
    return (
      <PagePlace>
        <noSession.Component />
      </PagePlace>
    );
  }
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
  useEffect(() => {
    // The link was opened in the person's language; these are in English alone.
    document.documentElement.lang = "en";
    sayIn(ENGLISH);
  }, []);
  return (
    <Shell>
      <PagePlace>
        <Switch>
          <Route path="/orders" component={orders.Component} />
          <Route path="/orders/new" component={newOrder.Component} />
          <Route path="/orders/:id">{({ id }) => <order.Component key={id} id={id} />}</Route>
          <Route path="/holders" component={holders.Component} />
          <Route path="/numbers" component={numbers.Component} />
          <Route path="/numbers/:digits">
            {({ digits }) => <number.Component key={digits} digits={digits} />}
          </Route>
          <Route path="/port-outs" component={portOuts.Component} />
          <Route path="/port-outs/:id">{({ id }) => <portOut.Component key={id} id={id} />}</Route>
          <Route path="/events" component={events.Component} />
          <Route path="/events/:id">{({ id }) => <event.Component key={id} id={id} />}</Route>
          <Route path="/deliveries" component={deliveries.Component} />
          <Route path="/deliveries/:id">{({ id }) => <delivery.Component id={id} />}</Route>
          <Route path="/endpoints" component={endpoints.Component} />
          <Route path="/endpoints/:id">{({ id }) => <endpoint.Component id={id} />}</Route>
          <Route path="/appearance" component={appearance.Component} />
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

mount(<App />);
