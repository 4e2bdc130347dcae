import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { once, request, unansweredOf } from "../../ui/http/request.ts";
import { Card } from "../../ui/page.tsx";
import { withTimeTexts } from "../../ui/time-text.ts";
import { LETTER, type Order, type Readiness } from "../orders/order-words.ts";
import { orderPath } from "../orders/orders.ts";
import styles from "./order-form.module.css";
import type { Block } from "./field-frame.tsx";
import { faultsOfBlocks } from "./signing.ts";
import { listText } from "../languages/language.ts";
import { faultWords, fieldWords, useWords } from "../languages/words.ts";
import type { OrderForm } from "./use-order-form.ts";

interface SendProps {
  readonly form: OrderForm;
  /** What is left before it can be sent; undefined while that is not known. */
  readonly readiness: Readiness | undefined;
}

/** Sends the order to the desk; where something is missing, leads to the first of it instead. */
export function Send({ form, readiness }: SendProps) {
  const { t } = useWords();
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const { order } = form;
  const submit = async (): Promise<void> => {
    if (!(await form.save())) return;
    const { blocking } = await checkedReadiness(order.id);
    form.mark(faultsOfBlocks(blocking, order));
    // Of the date, the service's refusal tells.
    if (blocking.every(isOfDate)) {
      await once({ path: orderPath(order.id, "/submit") }, unansweredOf(`submit:${order.id}`));
    }
  };
  const onSend = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await submit();
    } catch (error) {
      form.fail(error);
    } finally {
      setIsBusy(false);
      void client.invalidateQueries({ queryKey: ["orders"] });
    }
  };
  return (
    <Card title={t("send.title")}>
      <p className="muted">{t("send.explained")}</p>
      <p role="status">{readiness !== undefined && <Left {...{ order, readiness }} />}</p>
      <div className={styles["actions"]}>
        <Button kind="primary" isBusy={isBusy || form.isSaving} onClick={() => void onSend()}>
          {t("send.button")}
        </Button>
      </div>
      <Failed form={form} />
    </Card>
  );
}

const isOfDate = ({ code }: Block): boolean => code === "foc_not_possible";

const LOOK_MS = 500;
/** A check takes a second or two; after a minute it is told that it takes longer. */
const LOOKS = 120;

/** What is left before it can be sent, once the documents that were just saved are checked. */
async function checkedReadiness(orderId: string): Promise<Readiness> {
  for (let looks = 1; ; looks += 1) {
    const readiness = await request<Readiness>("GET", orderPath(orderId, "/readiness"));
    const isChecking = readiness.blocking.some(({ code }) => code === "checking");
    if (!isChecking || looks === LOOKS) return readiness;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Beside the button that was pressed; the one beside Save is read out. */
export function Failed({ form: { outcome } }: { readonly form: OrderForm }) {
  const { t } = useWords();
  if (outcome?.kind !== "failed") return null;
  return <p className={styles["refused"]}>{faultWords(t, outcome.fault)}</p>;
}

/** What is still to do. */
function Left({ order, readiness }: { readonly order: Order; readonly readiness: Readiness }) {
  const { t, locale } = useWords();
  const isLeft = (block: Block): boolean => block.code !== "checking" && !isOfDate(block);
  const left = new Set(readiness.blocking.filter(isLeft).map(({ slug }) => slug));
  if (left.size > 0) {
    const fields = order.requirements.filter(({ slug }) => left.has(slug));
    // In the sequence of the page, which has the letter last.
    const sorted = fields.toSorted((a, b) => Number(a.slug === LETTER) - Number(b.slug === LETTER));
    const names = sorted.map((field) => fieldWords(t, field).name);
    return t("send.left", { count: left.size, names: listText(locale, names, "and") });
  }
  const date = readiness.blocking.find(isOfDate);
  if (date !== undefined) {
    return faultWords(t, { ...date, detail: withTimeTexts(date.detail) });
  }
  return readiness.ready ? t("send.ready") : t("send.checking");
}
