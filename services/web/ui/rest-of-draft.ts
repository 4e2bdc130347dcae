/** What a draft holds that was written since its beginning was sent; the whole of it where that has been changed. */
export function restOfDraft(draft: string, sent: string): string {
  const [text, gone] = [draft.trimStart(), sent.trimStart()];
  return text.startsWith(gone) ? text.slice(gone.length).trimStart() : draft;
}
