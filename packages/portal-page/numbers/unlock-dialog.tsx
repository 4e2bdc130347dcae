import type { ComponentProps } from "react";
import { Confirm } from "../../ui/modal.tsx";

type Asking = Pick<ComponentProps<typeof Confirm>, "isBusy" | "error" | "onConfirm" | "onClose">;

/** Says what can happen to a number without its lock. */
export function UnlockDialog({ what, ...asking }: Asking & { readonly what: string }) {
  return (
    <Confirm title={`Unlock ${what}?`} verb="Unlock" isDangerous {...asking}>
      <p>
        From then on another carrier’s request can pass. You are asked about each, and one that
        nobody decides goes ahead at its deadline.
      </p>
    </Confirm>
  );
}
