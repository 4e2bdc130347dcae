import { Button } from "../../ui/button.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";
import { orderPath, useOrderCommand, useReadiness } from "./orders.ts";

/** The button that sends the order to the porting desk, and beside it why it cannot be pressed yet. */
export function SubmitOrder({ order }: { readonly order: Order }) {
  const { data: readiness } = useReadiness(order.id);
  const submit = useOrderCommand();
  const toasts = useToasts();
  const onSubmit = (): void =>
    submit.run(
      { path: orderPath(order.id, "/submit") },
      { onDone: () => toasts.done("The order was submitted"), onFailed: toasts.failed },
    );
  const blocking = readiness?.blocking ?? [];
  const isChecking = blocking.length > 0 && blocking.every(({ code }) => code === "checking");
  return (
    <div className={styles["form"]}>
      <Button
        kind="primary"
        disabled={readiness?.ready !== true}
        isBusy={submit.isPending}
        onClick={onSubmit}
      >
        Submit for review
      </Button>
      <p role="status" className="muted">
        {isChecking && "Documents are being checked…"}
        {!isChecking && blocking.length > 0 && `${blocking.length} still to do`}
        {readiness?.ready === true && "Everything is here"}
      </p>
    </div>
  );
}
