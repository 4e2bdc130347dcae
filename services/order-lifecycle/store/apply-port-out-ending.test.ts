import { expect, it } from "@jest/globals";
import { T0 } from "../../../test/support/orders/order-factory.ts";
import { LEAVING, portOutIn } from "../../../test/support/orders/port-out-factory.ts";
import { decidePortOut, type PortOutCommand } from "../../domain/port-out/rules/decide-port-out.ts";
import type { PortOut } from "../../domain/port-out/rules/port-out.ts";
import { hasMoved } from "./apply-port-out-ending.ts";

const REPORT = { provider_status: "reported", foc_at: null };
const CANCELLED: PortOutCommand = { command: "cancelled", ...REPORT };
const completed = (phone_numbers: readonly string[]): PortOutCommand => {
  return { command: "completed", phone_numbers, at: T0, ...REPORT };
};

const after = (portOut: PortOut, command: PortOutCommand): PortOut =>
  decidePortOut(portOut, command, T0)?.portOut ?? portOut;

it("an ending has moved a port-out that it cancelled, or by which one more number has left", () => {
  const approved = portOutIn("approved");
  const half = after(approved, completed(LEAVING.slice(0, 1)));
  expect(hasMoved(approved, after(approved, CANCELLED))).toBe(true);
  expect(hasMoved(approved, half)).toBe(true);
  expect(hasMoved(half, after(half, completed(LEAVING)))).toBe(true);
  expect(hasMoved(half, after(half, completed(LEAVING.slice(0, 1))))).toBe(false);
  const gone = portOutIn("ported_out");
  expect(hasMoved(gone, after(gone, CANCELLED))).toBe(false);
});
