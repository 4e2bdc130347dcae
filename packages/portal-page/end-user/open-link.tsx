import { useState } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/http/request.ts";
import { useLink, useOpenLink, useSession } from "../session.ts";
import { Brand, useBrandColour } from "./brand/brand.tsx";
import styles from "./door.module.css";
import { Door } from "./door.tsx";
import { faultWords, useWords, type Fault } from "../languages/words.ts";

/** A link is used up by a person's click, not by the mail scanner that opened it first. */
export default function OpenLinkPage() {
  return (
    <Door>
      <OpenLink />
    </Door>
  );
}

function OpenLink() {
  const { t } = useWords();
  const [, navigate] = useLocation();
  const [link] = useState(() => window.location.hash.slice(1));
  const open = useOpenLink();
  const { data: known } = useLink(link);
  useBrandColour(known?.branding.colour ?? null);
  const onOpen = (): void =>
    open.mutate(link, { onSuccess: () => navigate("/", { replace: true }) });
  return (
    <>
      <title>{t("door.title")}</title>
      {known !== undefined && <Brand branding={known.branding} />}
      <h1>{t("door.heading")}</h1>
      <p>{link === "" ? t("door.incomplete") : t("door.explained")}</p>
      {!window.isSecureContext && (
        <p role="alert" className={styles["warning"]}>
          {t("door.insecure")}
        </p>
      )}
      {open.error !== null && <WhyNot error={open.error} />}
      <Button kind="primary" disabled={link === ""} isBusy={open.isPending} onClick={onOpen}>
        {t("door.continue")}
      </Button>
    </>
  );
}

function WhyNot({ error }: { readonly error: Error }) {
  const { t } = useWords();
  const { code, detail } = reasonOf(error);
  return (
    <p role="alert" className={styles["problem"]}>
      <strong>{code === "account_suspended" ? t("door.suspended") : t("door.not_opened")}</strong>
      {code === "account_suspended" ? "" : faultWords(t, { code, detail })}
      {code === "link_used" && <StillOpen />}
    </p>
  );
}

/** For who clicks on the link again while its session is open in this browser. */
function StillOpen() {
  const { t } = useWords();
  const { data: session } = useSession();
  return session == null ? null : <Link href="/">{t("door.still_open")}</Link>;
}

function reasonOf(error: Error): Fault {
  if (!(error instanceof Problem)) return { code: "internal", detail: error.message };
  const [fault] = error.faults;
  const code = error.code === "not_found" ? "link_unknown" : error.code;
  return fault ?? { code, detail: error.message };
}
