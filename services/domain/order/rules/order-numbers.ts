import type { Order, OrderNumber } from "./order.ts";
import type { StatusUpdate } from "./status-update.ts";

type Numbers = Order["numbers"];

/** Being moved, or still to be moved. */
function isOpen({ status }: OrderNumber): boolean {
  return status === "pending" || status === "activating";
}

/** Whether the status update concerns the number; an update without numbers concerns all that are still open. */
function isNamed(update: StatusUpdate, number: OrderNumber): boolean {
  return update.phone_numbers?.includes(number.phone_number) ?? isOpen(number);
}

export function isMoving({ status }: OrderNumber): boolean {
  return status === "activating";
}

export function isActive({ status }: OrderNumber): boolean {
  return status === "active";
}

/** The numbers that the update newly makes active, including a failed one if it is listed. */
export function newlyActive(numbers: Numbers, update: StatusUpdate): OrderNumber[] {
  const canActivate = ({ status }: OrderNumber): boolean =>
    status !== "active" && status !== "cancelled";
  return numbers.filter((number) => canActivate(number) && isNamed(update, number));
}

/** The numbers that the update newly reports as failed for good. */
export function newlyFailed(numbers: Numbers, update: StatusUpdate): OrderNumber[] {
  return numbers.filter((number) => isOpen(number) && isNamed(update, number));
}

/** Whether the update activates a number that is not active in the order, which is closed. */
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

export function withActivated(numbers: Numbers, activated: Numbers, at: Date): Numbers {
  const fields = { status: "active", failure_code: null, activated_at: at } as const;
  return changeWhere(numbers, (number) => activated.includes(number), fields);
}

export function withFailed(numbers: Numbers, failed: Numbers, code: string): Numbers {
  const fields = { status: "failed", failure_code: code } as const;
  return changeWhere(numbers, (number) => failed.includes(number), fields);
}

/** The numbers for the next request: those that failed or were being moved are pending again. */
export function withNewTry(numbers: Numbers): Numbers {
  const isBack = (number: OrderNumber): boolean => number.status === "failed" || isMoving(number);
  return changeWhere(numbers, isBack, { status: "pending", failure_code: null });
}

export function withRestCancelled(numbers: Numbers): Numbers {
  return changeWhere(numbers, isOpen, { status: "cancelled" });
}
