import { useState } from "react";
import { isEditable } from "../../../../domain/order/rules/status-facts.ts";
import { Button } from "../../../ui/button.tsx";
import { isOpen } from "../order-words.ts";
import { orderPath } from "../queries.ts";
import { DocumentForm } from "../requirements/document-form.tsx";
import { ItemFrame, type ItemProps } from "../requirements/requirement-item.tsx";
import styles from "./letter.module.css";
import { SignDialog } from "./sign-dialog.tsx";

/** The letter of authorization: read it, sign it here, or upload one that was signed elsewhere. */
export function LetterItem({ order, requirement, block }: ItemProps) {
  const [doing, setDoing] = useState<"nothing" | "signing" | "uploading">("nothing");
  const stop = (): void => setDoing("nothing");
  const isMissing = isOpen(requirement);
  const isSigned = requirement.field_value !== null;
  return (
    <ItemFrame requirement={requirement} block={block}>
      {isMissing && <p className={styles["note"]}>{requirement.description}</p>}
      <div className={styles["actions"]}>
        <a href={orderPath(order.id, "/loa")} target="_blank" rel="noreferrer">
          {isSigned ? "Open the letter" : "Read the letter before you sign"}
        </a>
        {isEditable(order) && (
          <>
            <Button kind={isMissing ? "primary" : "quiet"} onClick={() => setDoing("signing")}>
              {isMissing ? "Sign the letter" : "Sign again"}
            </Button>
            <Button kind="quiet" onClick={() => setDoing("uploading")}>
              Upload a signed letter
            </Button>
          </>
        )}
      </div>
      {doing === "uploading" && <DocumentForm {...{ order, requirement, onDone: stop }} />}
      {doing === "signing" && <SignDialog order={order} onClose={stop} />}
    </ItemFrame>
  );
}
