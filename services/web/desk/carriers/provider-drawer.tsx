import type { ReactNode } from "react";
import { Modal } from "../../ui/modal.tsx";
import { Facts } from "../../ui/page.tsx";
import { hoursText } from "./calls.ts";
import styles from "./carriers.module.css";
import { ContactFacts } from "./contact-facts.tsx";
import type { Provider } from "./queries.ts";

interface ProviderDrawerProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

/** What a provider's file says: its words and codes and what they mean here, what it takes, when it is staffed. */
export function ProviderDrawer({ provider, onClose }: ProviderDrawerProps) {
  const { name, title, capabilities, statuses, codes, carriers, rejections } = provider;
  return (
    <Modal title={name} description={title} placement="drawer" onClose={onClose}>
      <Facts
        facts={[
          ["Hours", hoursText(provider.business_hours)],
          ["Requests that it takes", capabilities.join(", ")],
          ["Carriers", carriers.length === 0 ? "Those without a provider" : carriers.join(", ")],
          ["Contact", <ContactFacts contact={provider.contact} />],
        ]}
      />
      <Words title="Its words" none="Its table knows no word; each update names its kind.">
        {statuses.map(({ raw_status: word, kind }) => [word, kind])}
      </Words>
      <Words title="Its codes" none="It has no codes of its own; the catalogue’s are taken.">
        {codes.map(({ raw_code: raw, code }) => [raw, code])}
      </Words>
      <Words title="Rejections of the last 90 days" none="None.">
        {rejections.map(({ code, count }) => [code ?? "without a code", String(count)])}
      </Words>
    </Modal>
  );
}

interface WordsProps {
  readonly title: string;
  readonly none: string;
  readonly children: readonly (readonly [string, ReactNode])[];
}

function Words({ title, none, children }: WordsProps) {
  return (
    <section className={styles["words"]}>
      <h3>{title}</h3>
      {children.length === 0 ? (
        <p className={styles["muted"]}>{none}</p>
      ) : (
        <dl>
          {children.map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
