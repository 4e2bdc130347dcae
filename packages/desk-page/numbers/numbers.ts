import type { z } from "zod";
import type { deskNumberAnswer } from "../../../services/desk/numbers/answers.ts";
import type { Tone } from "../../ui/badge.tsx";

export type PlatformNumber = z.infer<typeof deskNumberAnswer>;

export const NUMBERS = "/desk/v1/numbers";

export const NUMBER_STATES: Readonly<
  Record<PlatformNumber["status"], { readonly name: string; readonly tone: Tone }>
> = {
  active: { name: "Live", tone: "good" },
  porting_out: { name: "Porting out", tone: "warning" },
  ported_out: { name: "Ported out", tone: "neutral" },
};
