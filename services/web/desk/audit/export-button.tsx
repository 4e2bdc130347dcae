import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { send } from "../../ui/http/request.ts";
import { useToasts } from "../../ui/toasts.tsx";
import { wholeCsv } from "./whole-csv.ts";

/** Saves every entry that the filters find as CSV. */
export function ExportButton({ path }: { readonly path: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const toasts = useToasts();
  const save = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const { text, isWhole } = await wholeCsv(path, (page) =>
        send("GET", page, { headers: { Accept: "text/csv" } }),
      );
      const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      Object.assign(document.createElement("a"), { href: url, download: "audit.csv" }).click();
      URL.revokeObjectURL(url);
      if (!isWhole) {
        toasts.notDone("Not all entries are in the file", "Choose fewer days to save the others.");
      }
    } catch (error) {
      toasts.failed(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void save()}>
      Save as CSV
    </Button>
  );
}
