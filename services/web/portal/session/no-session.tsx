import styles from "./door.module.css";

/** The portal has no sign-in of its own: a new link does that. */
export function NoSession() {
  return (
    <main className={styles["page"]}>
      <title>Signed out – Number porting</title>
      <div className={styles["card"]}>
        <h1>You are not signed in</h1>
        <p>Your session has ended, or this browser has not opened a link yet.</p>
        <p className={styles["muted"]}>
          Open the link that you were sent once more, or ask whoever sent it for a new one.
        </p>
      </div>
    </main>
  );
}
