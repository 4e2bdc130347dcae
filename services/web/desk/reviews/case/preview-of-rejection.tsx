import type { Preview } from "../rules/preview.ts";
import styles from "./case.module.css";

/** What the customer will see once the verdicts are sent. */
export function PreviewOfRejection({ preview }: { readonly preview: Preview }) {
  const { events, exceptions, status } = preview;
  return (
    <section className={styles["preview"]} aria-label="Preview">
      <h3>What the customer will see</h3>
      <p>
        New status <code data-preview="status">{status}</code>
      </p>
      <h4>
        <code>exceptions[]</code>
      </h4>
      <ul>
        {exceptions.map(({ slug, code, detail }) => (
          <li key={slug}>
            <code>{slug}</code> {code !== null && <code>{code}</code>}
            <p>{detail}</p>
          </li>
        ))}
      </ul>
      <h4>Events</h4>
      <ol>
        {events.map(({ type, payload }, n) => (
          <li key={n}>
            <code>{type}</code>
            <pre>{JSON.stringify(payload, null, 2)}</pre>
          </li>
        ))}
      </ol>
    </section>
  );
}
