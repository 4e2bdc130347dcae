import { Dialog } from "@base-ui/react/dialog";
import { useState, type ReactNode } from "react";
import styles from "./modal.module.css";

interface ModalProps {
  readonly title: string;
  readonly description?: string;
  /** A `drawer` stands at the right edge, beside what it is about. */
  readonly placement?: "centre" | "drawer";
  /** A click beside it does not close it, because what it shows cannot be shown again. */
  readonly staysOpen?: boolean;
  /** Nothing closes it, because what it waits for is shown once. */
  readonly isHeld?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog that is open as long as it is rendered; Escape and the backdrop close it. The focus returns to where it
 * was, or to the page's content where that is gone.
 */
export function Modal(props: ModalProps) {
  const { title, description, placement = "centre", children } = props;
  const { staysOpen = false, isHeld = false, onClose } = props;
  const [opener] = useState(() => document.activeElement);
  const focusAfter = (): HTMLElement | false => {
    // What Tab does not reach, such as the page's content itself, would pass it on to the first link inside, which
    // Enter would follow.
    if (opener instanceof HTMLElement && opener.tabIndex >= 0 && opener.isConnected) return opener;
    queueMicrotask(() => document.getElementById("content")?.focus({ preventScroll: true }));
    return false;
  };
  return (
    <Dialog.Root
      open
      disablePointerDismissal={staysOpen}
      onOpenChange={(open) => !open && !isHeld && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles["backdrop"]} />
        <Dialog.Popup className={`${styles["popup"]} ${styles[placement]}`} finalFocus={focusAfter}>
          <header className={styles["header"]}>
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Close className={styles["close"]} aria-label="Close">
              ✕
            </Dialog.Close>
          </header>
          {description !== undefined && (
            <Dialog.Description className={styles["description"]}>{description}</Dialog.Description>
          )}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The buttons at a dialog's end: what cancels first, what acts last. */
export function ModalActions({ children }: { readonly children: ReactNode }) {
  return <footer className={styles["actions"]}>{children}</footer>;
}
