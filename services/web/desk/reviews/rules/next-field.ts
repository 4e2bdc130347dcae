/** The field after `slug` that is still open, from the top again at the end; `slug` itself where none is. */
export function nextOpenField(
  slugs: readonly string[],
  slug: string,
  isOpen: (slug: string) => boolean,
): string {
  const at = slugs.indexOf(slug);
  const after = [...slugs.slice(at + 1), ...slugs.slice(0, Math.max(at, 0))];
  return after.find(isOpen) ?? slug;
}

/** The item `by` places on, without going past the ends. */
export function stepFrom<T>(items: readonly T[], item: T | null, by: number): T | null {
  const at = item === null ? -1 : items.indexOf(item);
  return items[Math.min(Math.max(at + by, 0), items.length - 1)] ?? null;
}
