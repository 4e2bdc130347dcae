import { useSyncExternalStore } from "react";
import { Banner } from "../../ui/frame.tsx";

function listen(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** Says that the browser is offline, for as long as it is. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <Banner>
          You are offline. What you see is what was last loaded; nothing can be sent now.
        </Banner>
      )}
    </div>
  );
}
