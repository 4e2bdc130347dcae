const ofYear = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** A time in a sentence, in the browser's zone. */
export function timeText(at: string): string {
  return ofYear.format(new Date(at));
}
