import type { z } from "zod";
import type { platformNumberAnswer } from "../../../services/domain/number/answers/number-answer.ts";
import type { Tone } from "../../ui/badge.tsx";
import { useCommand } from "../../ui/http/command.ts";

export type PlatformNumber = z.infer<typeof platformNumberAnswer>;

export const NUMBERS = "/v2/numbers";

/** Where the service has a number. */
export function numberAt(number: string): string {
  return `${NUMBERS}/${encodeURIComponent(number)}`;
}

/** The number's own page. */
export function numberPath(number: string): string {
  return `/numbers/${number.replaceAll(/\D/g, "")}`;
}

export function useNumberCommand() {
  return useCommand<PlatformNumber>({ refreshes: ["numbers"] });
}

export const NUMBER_STATES: Readonly<
  Record<PlatformNumber["status"], readonly [text: string, tone: Tone]>
> = {
  active: ["Live", "good"],
  porting_out: ["Leaving", "warning"],
  ported_out: ["Left", "neutral"],
  released: ["Left", "neutral"],
};

/** How a number is kept from being taken away. */
export function protectionOf(number: PlatformNumber): string {
  const { port_out_lock: isLocked, port_out_pin_set: hasPin } = number;
  if (isLocked) return "Locked";
  return hasPin ? "PIN" : "–";
}
