import { useSyncExternalStore, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Banner, PageLinks, SkipLink } from "../ui/page.tsx";
import { useToasts } from "../ui/toasts.tsx";
import { useOpenSession, useSignOut } from "./session.ts";
import styles from "./shell.module.css";

const PAGES = [
  ["/orders", "Orders"],
  ["/numbers", "Numbers"],
  ["/port-outs", "Port-outs"],
  ["/events", "Events"],
  ["/deliveries", "Deliveries"],
  ["/endpoints", "Endpoints"],
  ["/appearance", "Appearance"],
] as const;

/** The frame of the account's pages. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { account_name: name } = useOpenSession();
  const signOut = useSignOut();
  const toasts = useToasts();
  return (
    <>
      <SkipLink />
      <header className={styles["bar"]}>
        <p className={styles["product"]}>
          Number porting <span>{name}</span>
        </p>
        <nav aria-label="Portal">
          <PageLinks pages={PAGES} className={styles["links"]} />
        </nav>
        <Button
          kind="quiet"
          onClick={() => signOut.mutate(undefined, { onError: toasts.failed })}
          isBusy={signOut.isPending}
        >
          Sign out
        </Button>
      </header>
      <main id="content" tabIndex={-1} className={styles["content"]}>
        <OfflineNote />
        {children}
      </main>
    </>
  );
}

/** For `navigator.onLine`. */
export function listenToConnection(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** Says that the browser is offline, for as long as it is. */
function OfflineNote() {
  const isOnline = useSyncExternalStore(listenToConnection, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <Banner>
          You are offline. What you see is what was last loaded; nothing can be sent now.
        </Banner>
      )}
    </div>
  );
}
