import styles from "./carriers.module.css";
import type { Provider } from "./queries.ts";

/** How a carrier's people are reached. */
export function ContactFacts({ contact }: Pick<Provider, "contact">) {
  if (contact === null) return <p className={styles["muted"]}>Its file names no contact.</p>;
  const { name, phone, email, url, notes } = contact;
  return (
    <p className={styles["contact"]}>
      {name !== null && <span>{name}</span>}
      {phone !== null && <a href={`tel:${phone}`}>{phone}</a>}
      {email !== null && <a href={`mailto:${email}`}>{email}</a>}
      {url !== null && isWebPage(url) && (
        <a href={url} target="_blank" rel="noreferrer">
          Its portal<span className="visually-hidden"> in a new tab</span>
        </a>
      )}
      {notes !== null && <span className={styles["muted"]}>{notes}</span>}
    </p>
  );
}

/** The file is written by hand: what is not a page is not made a link. */
function isWebPage(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
