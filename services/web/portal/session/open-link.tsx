import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/http/problem.ts";
import styles from "./door.module.css";
import { useOpenLink } from "./session.ts";

/** A link is used up by a person's click, not by the mail scanner that opened it first. */
export function OpenLink() {
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
