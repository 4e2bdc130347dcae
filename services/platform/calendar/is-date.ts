/** Whether text is a day of the calendar as YYYY-MM-DD; JavaScript by itself reads 2026-02-30 as a day in March. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
