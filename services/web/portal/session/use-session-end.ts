import { useRefusals, type OnRefused } from "../../ui/http/use-refusals.ts";
import { SESSION_KEY } from "./session.ts";

/** Whatever is refused with 401 tells that the session has ended; the page says so in place of an error. */
export function useSessionEnd(): void {
  useRefusals(endSession);
}

const endSession: OnRefused = (client) => {
  if (client.getQueryData(SESSION_KEY) !== null) client.setQueryData(SESSION_KEY, null);
};
