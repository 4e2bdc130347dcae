import { Redirect, Route, Switch } from "wouter";
import { useState, type SubmitEvent } from "react";
import "../ui/base.css";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/http/request.ts";
import { mount } from "../ui/mount.tsx";
import { Empty, Failure, PagePlace, Skeleton } from "../ui/states.tsx";
import { LiveProvider } from "./live.tsx";
import { SCREENS, useFirstScreen } from "./screens.tsx";
import { OperatorContext, useSession, useSignIn } from "./session.ts";
import styles from "./shell.module.css";
import { Shell } from "./shell.tsx";

/** The desk: signing in first, then the screen of the URL. */
function App() {
  const { data: operator, error, refetch } = useSession();
  useFirstScreen();
  // Who is signed in is asked again while one works; that it fails leaves the page as it is.
  if (operator === undefined) {
    return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (operator === null) return <SignIn />;
  return (
    <OperatorContext value={operator}>
      <LiveProvider>
        <Shell>
          <PagePlace>
            <Switch>
              {SCREENS.map(({ path, Component }) => (
                <Route key={path} path={path}>
                  {(params) => <Component params={params as Readonly<Record<string, string>>} />}
                </Route>
              ))}
              <Route path="/">
                <Redirect to="/reviews" replace />
              </Route>
              <Route>
                <Empty title="There is no such page">The address may be mistyped.</Empty>
              </Route>
            </Switch>
          </PagePlace>
        </Shell>
      </LiveProvider>
    </OperatorContext>
  );
}

/** The service's own sentence is for programs, which send the token as a header. */
function reasonOf(error: Error | null): string | null {
  if (error instanceof Problem && error.status === 401) {
    return "This token is not known, or it was revoked. Ask an administrator for one of yours.";
  }
  return error?.message ?? null;
}

/** The page that was asked for stays in the URL, and is shown after the sign-in. */
function SignIn() {
  const [token, setToken] = useState("");
  const signIn = useSignIn();
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    signIn.mutate(token, { onSuccess: () => setToken("") });
  };
  return (
    <main className={styles["page"]}>
      <title>Sign in – Porting desk</title>
      <form className={styles["form"]} onSubmit={onSubmit}>
        <h1>Porting desk</h1>
        {!window.isSecureContext && (
          <p role="alert" className={styles["insecure"]}>
            This address has no TLS, so the browser keeps no session. Open the desk by https, or on
            this machine by http://localhost.
          </p>
        )}
        <TextField
          label="Token"
          hint="Yours, from an administrator: nps_desk_…"
          error={reasonOf(signIn.error)}
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={token}
          onChange={setToken}
        />
        <Button type="submit" kind="primary" isBusy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

mount(<App />);
