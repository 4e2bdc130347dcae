import { useSyncExternalStore } from "react";
import { isEditable } from "../../../services/domain/order/rules/status-facts.ts";
import { Banner, Card, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { InLanguage, LanguageChoice } from "../languages/in-language.tsx";
import { dateText } from "../languages/language.ts";
import { useWords, type Texts } from "../languages/words.ts";
import form from "../order-form/order-form.module.css";
import { RequirementForm, useFocusOnEnd } from "../order-form/requirement-form.tsx";
import { usePhones } from "../order-form/use-phones.ts";
import type { Order } from "../orders/order-words.ts";
import { useOrder } from "../orders/orders.ts";
import { useOpenSession } from "../session.ts";
import shell from "../shell.module.css";
import { listenToConnection } from "../shell.tsx";
import { Brand, useBrandColour } from "./brand/brand.tsx";
import styles from "./end-user.module.css";

/** The page that a customer hands to its own end user: one order's requirements and letter, nothing else. */
export default function EndUserPage({ orderId }: { readonly orderId: string }) {
  const query = useOrder(orderId);
  const { branding } = useOpenSession();
  useBrandColour(branding.colour);
  return (
    <InLanguage>
      <main className={`${shell["content"]} ${shell["narrow"]} ${styles["page"]}`}>
        <header className={styles["top"]}>
          <Brand branding={branding} />
          <LanguageChoice />
        </header>
        <OfflineNote />
        <DataView query={query}>{(order) => <Shown order={order} />}</DataView>
      </main>
    </InLanguage>
  );
}

function OfflineNote() {
  const { t } = useWords();
  const isOnline = useSyncExternalStore(listenToConnection, () => navigator.onLine);
  return <div role="status">{!isOnline && <Banner>{t("page.offline")}</Banner>}</div>;
}

const SHOWN = 5;

function Shown({ order }: { readonly order: Order }) {
  const { t, locale } = useWords();
  const phones = usePhones();
  const numbers = order.phone_numbers.map((number) => phones.shown(number, order.country_code));
  const more = numbers.length - SHOWN;
  const state = useFocusOnEnd<HTMLParagraphElement>(isEditable(order));
  return (
    <Page title={t("page.title", { count: numbers.length })}>
      <Card>
        <p className={styles["numbers"]}>
          {numbers.slice(0, SHOWN).join(", ")} {more > 0 && t("page.more", { count: more })}
        </p>
        <p ref={state} tabIndex={-1}>
          {t(`state.${stateOf(order)}`)}
        </p>
        {order.exceptions
          .filter(({ slug }) => slug === null)
          .map(({ code, detail }) => (
            <p key={code} className={form["refused"]}>
              {detail}
            </p>
          ))}
        {order.foc_actual !== null && (
          <p>{t("page.date", { date: dateText(locale, order.foc_actual) })}</p>
        )}
      </Card>
      <RequirementForm {...{ order, phones }} />
    </Page>
  );
}

/** Where the move stands, for somebody who does it once in a life. */
function stateOf({ status }: Order): keyof Texts["state"] {
  switch (status) {
    case "draft":
      return "open";
    case "rejection":
      return "rejected";
    case "in_review":
    case "submitted":
    case "in_process":
      return "waiting";
    case "foc_scheduled":
    case "activating":
      return "dated";
    case "completed":
    case "completed_partial":
      return "done";
    case "cancel_pending":
    case "cancelled":
      return "cancelled";
  }
}
