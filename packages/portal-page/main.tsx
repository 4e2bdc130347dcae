import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { useState } from "react";
import "../ui/base.css";
import { Button } from "../ui/button.tsx";
import { fetched, useFetchedAhead } from "../ui/fetched.tsx";
import { Problem } from "../ui/http/request.ts";
import { mount } from "../ui/mount.tsx";
import { Empty, Failure, PagePlace, Skeleton } from "../ui/states.tsx";
import styles from "./door.module.css";
import { SessionContext, useOpenLink, useSession, useSessionEnd } from "./session.ts";
import { Shell } from "./shell.tsx";

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
function App() {
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

/** A link is used up by a person's click, not by the mail scanner that opened it first. */
function OpenLink() {
  const [, navigate] = useLocation();
  const [link] = useState(() => window.location.hash.slice(1));
  const open = useOpenLink();
  const onOpen = (): void =>
    open.mutate(link, { onSuccess: () => navigate("/", { replace: true }) });
  return (
    <main className={styles["page"]}>
      <title>Open the porting portal</title>
      <div className={styles["card"]}>
        <h1>Number porting</h1>
        {link === "" ? (
          <p>
            This link is not complete. Copy all of it from the message that you received, up to its
            last character.
          </p>
        ) : (
          <p>
            You were sent a link to work on the move of phone numbers. Open it in the browser in
            which you want to work: it signs you in for up to 12 hours.
          </p>
        )}
        {!window.isSecureContext && (
          <p role="alert" className={styles["warning"]}>
            This address has no TLS, so the browser keeps no session. Open the link by https.
          </p>
        )}
        {open.error !== null && <WhyNot error={open.error} />}
        <Button kind="primary" disabled={link === ""} isBusy={open.isPending} onClick={onOpen}>
          Continue
        </Button>
      </div>
    </main>
  );
}

function WhyNot({ error }: { readonly error: Error }) {
  const title = error instanceof Problem ? titleOf(error) : "It failed";
  return (
    <p role="alert" className={styles["problem"]}>
      <strong>{title}</strong>
      {error.message}
    </p>
  );
}

function titleOf({ code, title }: Problem): string {
  switch (code) {
    case "invalid_state":
    case "not_found":
      return "This link does not open";
    case "account_suspended":
      return "The account is suspended";
    default:
      return title;
  }
}

/** The portal has no sign-in of its own: a new link does that. */
function NoSession() {
  return (
    <main className={styles["page"]}>
      <title>Signed out – Number porting</title>
      <div className={styles["card"]}>
        <h1>You are not signed in</h1>
        <p>Your session has ended, or this browser has not opened a link yet.</p>
        <p className="muted">
          Open the link that you were sent once more, or ask whoever sent it for a new one.
        </p>
      </div>
    </main>
  );
}

mount(<App />);
