import { Button } from "../../../ui/button.tsx";

interface AccountChipProps {
  /** The id of the account; empty for all. */
  readonly account: string;
  readonly onRemove: () => void;
}

/** Says that a list shows one account alone, as an account's page links to it. */
export function AccountChip({ account, onRemove }: AccountChipProps) {
  if (account === "") return null;
  return (
    <Button kind="quiet" aria-label="One account: show all accounts" onClick={onRemove}>
      One account ✕
    </Button>
  );
}
