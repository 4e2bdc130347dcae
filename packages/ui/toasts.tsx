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
      <Toast.Close className={styles["close"]} aria-label="Dismiss">
        ✕
      </Toast.Close>
    </Toast.Root>
  ));
}

/** Says what was done, or why it was not; both are read out by a screen reader. */
export function useToasts() {
  const { add } = Toast.useToastManager();
  return {
    done: (title: string, description = "") => add({ title, description, type: "done" }),
    /** As `done`, in the place of the one before under the same id, so that quick work piles up nothing. */
    replaced: (id: string, title: string, description: string) =>
      add({ id, title, description, type: "done" }),
    /** What was asked for was not done, through no fault: something is left to do first. */
    notDone: (title: string, description: string) =>
      add({ title, description, type: "note", timeout: 10_000 }),
    failed: (error: unknown) => {
      const problem = error instanceof Problem ? error : null;
      const request = problem?.requestId == null ? "" : ` (request ${problem.requestId})`;
      const description = `${problem?.message ?? String(error)}${request}`;
      add({ title: problem?.title ?? "It failed", description, type: "failed", timeout: 15_000 });
    },
  };
}
