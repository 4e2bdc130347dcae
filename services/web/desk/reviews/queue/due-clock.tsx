import { Badge, type Tone } from "../../../ui/badge.tsx";
import { spanText } from "../../../ui/span-text.ts";
import { Time, useNow } from "../../../ui/time.tsx";

const SOON_MS = 60 * 60_000;

function toneOf(leftMs: number): Tone {
  if (leftMs < 0) return "bad";
  return leftMs < SOON_MS ? "warning" : "neutral";
}

/** When the decision is due, in words with a mark; the exact time on hover. */
export function DueClock({ at }: { readonly at: string }) {
  const leftMs = new Date(at).getTime() - useNow();
  return (
    <Badge tone={toneOf(leftMs)}>
      {leftMs < 0 ? `Overdue ${spanText(leftMs)}` : <Time at={at} form="relative" />}
    </Badge>
  );
}
