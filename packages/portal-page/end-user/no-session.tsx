import { Door } from "./door.tsx";
import { useWords } from "../languages/words.ts";

/** The portal has no sign-in of its own: a new link does that. */
export default function NoSessionPage() {
  return (
    <Door>
      <NoSession />
    </Door>
  );
}

function NoSession() {
  const { t } = useWords();
  return (
    <>
      <title>{t("session.title")}</title>
      <h1>{t("session.heading")}</h1>
      <p>{t("session.ended")}</p>
      <p className="muted">{t("session.again")}</p>
    </>
  );
}
