import type { Order, OrderNumber } from "./order.ts";
import type { StatusUpdate } from "./status-update.ts";

type Numbers = Order["numbers"];

/** On its way, or still to go. */
function isOpen({ status }: OrderNumber): boolean {
  return status === "pending" || status === "activating";
}

/** Whether the status update is about the number; one that names none is about all that are still open. */
function isNamed(update: StatusUpdate, number: OrderNumber): boolean {
  return update.phone_numbers?.includes(number.phone_number) ?? isOpen(number);
}

export function isMoving({ status }: OrderNumber): boolean {
  return status === "activating";
}

export function isActive({ status }: OrderNumber): boolean {
  return status === "active";
}

/** The numbers that the update newly turns active: a failed one too where it is named. */
export function newlyActive(numbers: Numbers, update: StatusUpdate): OrderNumber[] {
  const canTurn = ({ status }: OrderNumber): boolean =>
    status !== "active" && status !== "cancelled";
  return numbers.filter((number) => canTurn(number) && isNamed(update, number));
}

/** The numbers that the update newly reports as failed for good. */
export function newlyFailed(numbers: Numbers, update: StatusUpdate): OrderNumber[] {
  return numbers.filter((number) => isOpen(number) && isNamed(update, number));
}

/** An active or named number that the order, now over, does not have as active. */
export function missesActive(numbers: Numbers, { phone_numbers: named }: StatusUpdate): boolean {
  return numbers.some(
    (number) => !isActive(number) && (named?.includes(number.phone_number) ?? true),
  );
}

type NumberChange = Partial<Omit<OrderNumber, "phone_number">>;

function changeWhere(
  numbers: Numbers,
  isMeant: (number: OrderNumber) => boolean,
  fields: NumberChange,
): Numbers {
  return numbers.map((number) => (isMeant(number) ? { ...number, ...fields } : number));
}

export function withMoveStarted(numbers: Numbers): Numbers {
  return changeWhere(numbers, ({ status }) => status === "pending", { status: "activating" });
}

export function withActivated(numbers: Numbers, turned: Numbers, at: Date): Numbers {
  const fields = { status: "active", failure_code: null, activated_at: at } as const;
  return changeWhere(numbers, (number) => turned.includes(number), fields);
}

export function withFailed(numbers: Numbers, failed: Numbers, code: string): Numbers {
  const fields = { status: "failed", failure_code: code } as const;
  return changeWhere(numbers, (number) => failed.includes(number), fields);
}

/** As the next request takes them out: what failed or was on its way under this one starts again. */
export function withNewTry(numbers: Numbers): Numbers {
  const isBack = (number: OrderNumber): boolean => number.status === "failed" || isMoving(number);
  return changeWhere(numbers, isBack, { status: "pending", failure_code: null });
}

export function withRestCancelled(numbers: Numbers): Numbers {
  return changeWhere(numbers, isOpen, { status: "cancelled" });
}
