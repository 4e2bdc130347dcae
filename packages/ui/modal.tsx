import { Dialog } from "@base-ui/react/dialog";
import {
  useCallback,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
} from "react";
import { Button, type ButtonProps } from "./button.tsx";
import styles from "./modal.module.css";
import { Failure } from "./states.tsx";
import { useToasts } from "./toasts.tsx";

interface ModalProps {
  readonly title: string;
  readonly description?: string | undefined;
  /** A `drawer` stands at the right edge, beside what it is about. */
  readonly placement?: "centre" | "drawer" | undefined;
  /** A click beside it does not close it, because what it shows cannot be shown again. */
  readonly staysOpen?: boolean;
  /** Nothing closes it, because what it waits for is shown once. */
  readonly isHeld?: boolean | undefined;
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
  const popup = useRef<HTMLDivElement>(null);
  // The library sets the focus a frame after it is shown, and Enter pressed in between would be lost. A dialog that closes
  // for this one gives its focus back in a microtask that was queued before.
  const onShown = useCallback((shown: HTMLDivElement | null): void => {
    popup.current = shown;
    if (shown === null || matchMedia("(pointer: coarse)").matches) return;
    queueMicrotask(() => {
      const first = firstFocusIn(shown, false);
      if (first instanceof HTMLElement) first.focus();
    });
  }, []);
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
        <Dialog.Popup
          ref={onShown}
          className={`${styles["popup"]} ${styles[placement]}`}
          initialFocus={(by) => firstFocusIn(popup.current, by === "touch")}
          finalFocus={focusAfter}
        >
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

/** Marks what has the focus first: `<Button {...FIRST_FOCUS}>`. */
const FIRST_FOCUS = { "data-first-focus": "" } as const;

const FIELD = "input:enabled, select:enabled, textarea:enabled";

/** The first field, else what is marked, else the button that acts; the dialog itself where it is only read. */
function firstFocusIn(popup: HTMLElement | null, isTouch: boolean): HTMLElement | boolean {
  if (popup === null) return true;
  // A field that asked for it has it already.
  if (popup !== document.activeElement && popup.contains(document.activeElement)) return false;
  // A field would cover the dialog with a keyboard.
  if (isTouch) return popup;
  const find = (selector: string) => [...popup.querySelectorAll<HTMLElement>(selector)];
  const [first] = [...find(FIELD), ...find("[data-first-focus]")];
  return first ?? find("footer button:enabled").at(-1) ?? popup;
}

/** The buttons at a dialog's end: what cancels first, what acts last. */
export function ModalActions({ children }: { readonly children: ReactNode }) {
  return <footer className={styles["actions"]}>{children}</footer>;
}

interface FormModalProps extends Omit<ModalProps, "staysOpen"> {
  /** The verb of the button that sends the form: `Rename`; null where there is nothing to send any more. */
  readonly verb: string | null;
  /** The button that does not. */
  readonly leave?: string;
  readonly kind?: ButtonProps["kind"];
  /** `Ctrl+Enter`, where that sends the form too. */
  readonly hotkey?: string;
  readonly isBusy?: boolean;
  readonly isReady?: boolean;
  /** What is wrong, and is shown at no field. */
  readonly fault?: string | null;
  /** How the form is marked. */
  readonly className?: string | undefined;
  /** Below the buttons. */
  readonly below?: ReactNode;
  readonly onSubmit: () => void;
  /** What the button does that does not send; `onClose` unless given. */
  readonly onLeave?: () => void;
}

/** A dialog that asks for something and sends it. */
export function FormModal(props: FormModalProps) {
  const { verb, leave = "Cancel", kind = "primary", hotkey, isBusy = false } = props;
  const { isReady = true, fault = null, className = "", onSubmit, onLeave, below } = props;
  const { title, description, placement, isHeld, onClose, children } = props;
  const onSend = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (isReady && !isBusy) onSubmit();
  };
  return (
    <Modal {...{ title, description, placement, isHeld, onClose }}>
      <form
        className={`${styles["form"]} ${className}`}
        onSubmit={onSend}
        onKeyDown={hotkey === undefined ? undefined : onKeyDown}
      >
        {children}
        {fault !== null && <p role="alert">{fault}</p>}
        <ModalActions>
          <Button
            onClick={onLeave ?? onClose}
            disabled={isHeld}
            {...(kind === "danger" ? FIRST_FOCUS : {})}
          >
            {leave}
          </Button>
          {verb !== null && (
            <Button type="submit" kind={kind} hotkey={hotkey} isBusy={isBusy} disabled={!isReady}>
              {verb}
            </Button>
          )}
        </ModalActions>
      </form>
      {below}
    </Modal>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
  /** The verb of the button: `Revoke`. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly isReady?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before what cannot be taken back. */
export function Confirm(props: ConfirmProps) {
  const {
    title,
    children,
    verb,
    isDangerous = false,
    isReady = true,
    isBusy = false,
    error,
  } = props;
  return (
    <Modal title={title} onClose={props.onClose}>
      {children}
      {error !== null && error !== undefined && <Failure error={error} />}
      <ModalActions>
        {/* Enter that is held down, or pressed once too often, does nothing that cannot be taken back. */}
        <Button onClick={props.onClose} {...(isDangerous ? FIRST_FOCUS : {})}>
          Cancel
        </Button>
        <Button
          kind={isDangerous ? "danger" : "primary"}
          disabled={!isReady}
          isBusy={isBusy}
          onClick={props.onConfirm}
        >
          {verb}
        </Button>
      </ModalActions>
    </Modal>
  );
}

interface SecretDialogProps {
  readonly title: string;
  /** What each secret is for, and the secret itself. */
  readonly secrets: readonly (readonly [string, string])[];
  readonly onClose: () => void;
}

/** Secrets that the service shows once: closed at once only by who says that they are kept, or has copied them all. */
export function SecretDialog({ title, secrets, onClose }: SecretDialogProps) {
  const toasts = useToasts();
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setIsAsking] = useState(false);
  const copy = (name: string, secret: string): void => {
    navigator.clipboard.writeText(secret).then(() => {
      setCopied((before) => new Set(before).add(name));
      toasts.done(`${name} copied`);
    }, toasts.failed);
  };
  const leave = (): void => {
    if (secrets.every(([name]) => copied.has(name))) onClose();
    else setIsAsking(true);
  };
  return (
    <Modal
      title={title}
      description="Shown once. Keep it before you close this."
      staysOpen
      onClose={leave}
    >
      {secrets.map(([name, secret], n) => (
        <div key={name} className={styles["secret"]}>
          <h3>{name}</h3>
          <code>{secret}</code>
          <Button onClick={() => copy(name, secret)} {...(n === 0 ? FIRST_FOCUS : {})}>
            Copy
          </Button>
        </div>
      ))}
      <ModalActions>
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      </ModalActions>
      {isAsking && (
        <Confirm
          title="Close it without a copy?"
          verb="Close"
          isDangerous
          onClose={() => setIsAsking(false)}
          onConfirm={onClose}
        >
          <p>It cannot be shown again.</p>
        </Confirm>
      )}
    </Modal>
  );
}
