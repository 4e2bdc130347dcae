import { Redirect, Route, Switch } from "wouter";
import { PagePlace } from "../ui/page-place.tsx";
import { Empty, Failure, Skeleton } from "../ui/states.tsx";
import { LiveProvider } from "./live/live.tsx";
import { SCREENS } from "./screens.tsx";
import { OperatorContext, useSession } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Shell } from "./shell/shell.tsx";
import { useFirstScreen } from "./use-first-screen.ts";

/** The desk: signing in first, then the screen of the URL. */
export function App() {
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
