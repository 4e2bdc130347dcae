import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { send } from "../../ui/http/request.ts";
import { useToasts } from "../../ui/toasts.tsx";

/** Saves the page of the list that is shown as CSV. */
export function ExportButton({ path }: { readonly path: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const toasts = useToasts();
  const save = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const response = await send("GET", path, { headers: { Accept: "text/csv" } });
      const url = URL.createObjectURL(await response.blob());
      Object.assign(document.createElement("a"), { href: url, download: "audit.csv" }).click();
      URL.revokeObjectURL(url);
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
