/** `deliveries` → `delivery`; a word that is not a plural stays as it is. */
export function singular(noun: string): string {
  return noun.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}
