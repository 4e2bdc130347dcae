import type { z } from "zod";
import type { deskNumberAnswer } from "../../../services/desk/numbers/answers.ts";
import type { Tone } from "../../ui/badge.tsx";

export type PlatformNumber = z.infer<typeof deskNumberAnswer>;

export interface ImportAnswer {
  readonly accepted: number;
  readonly errors: readonly {
    readonly pointer: string;
    readonly phone_number: string;
    readonly code: string;
    readonly detail: string;
  }[];
}

export const NUMBERS = "/desk/v1/numbers";

/** It reaches other accounts of the platform, and hosts no numbers. */
export const HOSTS_NONE = "platform";

export const RELEASE_WORDS: Readonly<
  Record<NonNullable<PlatformNumber["release"]>["reason"], string>
> = {
  snapback: "Went back to the carrier that it came from",
  disconnected: "Its line was disconnected",
  returned_to_holder: "Returned to the holder of its range",
};

export const NUMBER_STATES: Readonly<
  Record<PlatformNumber["status"], { readonly name: string; readonly tone: Tone }>
> = {
  active: { name: "Live", tone: "good" },
  porting_out: { name: "Porting out", tone: "warning" },
  ported_out: { name: "Ported out", tone: "neutral" },
  released: { name: "Released", tone: "neutral" },
};
