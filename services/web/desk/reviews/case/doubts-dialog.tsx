import { Confirm } from "../../../ui/confirm.tsx";
import styles from "./case.module.css";
import type { Work } from "./use-work.ts";

/** Asks once, before all is approved, about what speaks against it. */
export function DoubtsDialog({ work }: { readonly work: Work }) {
  const { doubts, settleDoubts } = work;
  if (doubts.length === 0) return null;
  return (
    <Confirm
      title="Approve against the documents?"
      verb="Approve all the same"
      isDangerous
      isBusy={false}
      error={null}
      onConfirm={() => settleDoubts(true)}
      onClose={() => settleDoubts(false)}
    >
      <p>The text of these documents does not fit the order. Cancel leaves them to be decided.</p>
      <ul className={styles["doubts"]}>
        {doubts.map(({ slug, name, against }) => (
          <li key={slug}>
            <strong>{name}</strong>: {against.join(", ")}
          </li>
        ))}
      </ul>
    </Confirm>
  );
}
