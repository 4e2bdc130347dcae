import { Button } from "../../../ui/button.tsx";
import { keyText } from "../../keys/key-table.ts";
import styles from "./case.module.css";
import type { useSend } from "./use-send.ts";
import type { Work } from "./use-work.ts";

interface SendBarProps {
  readonly work: Work;
  readonly onUndo: () => void;
  readonly send: ReturnType<typeof useSend>;
}

/** What the draft comes to, always in sight. */
export function SendBar({ work, send, onUndo }: SendBarProps) {
  const { draft, open, undecided } = work;
  const rejected = draft.verdicts.filter(({ decision }) => decision === "reject").length;
  const isReady = send.sendable.kind !== "incomplete";
  return (
    <section className={styles["bar"]} aria-label="Verdicts" data-bottom-bar="">
      <p role="status">
        <strong>
          {open.length - undecided.length} of {open.length}
        </strong>{" "}
        decided{rejected > 0 && `, ${rejected} rejected`}
        {draft.verdicts.length > 0 && " – not sent"}
      </p>
      <div className={styles["buttons"]}>
        <Button onClick={onUndo} hotkey={keyText("undo")} disabled={draft.undone.length === 0}>
          Undo
        </Button>
        <Button
          onClick={work.approveAll}
          hotkey={keyText("approveAll")}
          disabled={undecided.length === 0}
          title="Each field without a failed check; a document only once all its pages were shown"
        >
          Approve all
        </Button>
        <Button
          kind={rejected > 0 ? "danger" : "primary"}
          onClick={send.send}
          hotkey={keyText("send")}
          isBusy={send.isBusy}
          disabled={!isReady}
        >
          {rejected > 0 ? "Return to the customer" : "Send to the carrier"}
        </Button>
      </div>
    </section>
  );
}
