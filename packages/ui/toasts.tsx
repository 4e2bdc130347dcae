import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";
import { Problem } from "./http/request.ts";
import styles from "./toasts.module.css";

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={6_000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles["viewport"]}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      data-toast=""
      toast={toast}
      className={`${styles["toast"]} ${styles[toast.type ?? "done"]}`}
    >
      <Toast.Title className={styles["title"]} />
      <Toast.Description className={styles["description"]} />
      <Toast.Action className={styles["action"]} />
      <Toast.Close className={styles["close"]} aria-label="Dismiss">
        ✕
      </Toast.Close>
    </Toast.Root>
  ));
}

/** What a toast's button says, and does. */
type ToastAction = readonly [label: string, act: () => void];

function withAction(action: ToastAction | undefined) {
  if (action === undefined) return { actionProps: undefined };
  const [children, onClick] = action;
  return { actionProps: { children, onClick } };
}

/** Says what was done, or why it was not; both are read out by a screen reader. */
export function useToasts() {
  const { add } = Toast.useToastManager();
  const fail = (error: unknown, action?: ToastAction): void => {
    const problem = error instanceof Problem ? error : null;
    const request = problem?.requestId == null ? "" : ` (request ${problem.requestId})`;
    const description = `${problem?.message ?? String(error)}${request}`;
    const title = problem?.title ?? "It failed";
    add({ title, description, type: "failed", timeout: 15_000, ...withAction(action) });
  };
  return {
    done: (title: string, description = "") => add({ title, description, type: "done" }),
    /** As `done`, in the place of the one before under the same id, so that quick work piles up nothing. */
    replaced: (id: string, title: string, description: string, action?: ToastAction) =>
      add({ id, title, description, type: "done", ...withAction(action) }),
    /** What was asked for was not done, through no fault: something is left to do first. */
    notDone: (title: string, description: string) =>
      add({ title, description, type: "note", timeout: 10_000 }),
    failed: (error: unknown) => fail(error),
    /** As `failed`, with what can be done about it. */
    failedWith: (error: unknown, action: ToastAction) => fail(error, action),
  };
}
