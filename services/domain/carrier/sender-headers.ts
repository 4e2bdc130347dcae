const LONGEST = 255;

/** Headers of a carrier's dead letter, so that its readers need not decode it to see whose it is. */
export function senderHeaders(sender: {
  readonly provider: string;
  readonly update_id?: string | undefined;
}): Record<string, string> {
  const { provider, update_id: id } = sender;
  return {
    ...(provider === "" ? {} : { provider: provider.slice(0, LONGEST) }),
    ...(id === undefined ? {} : { "update-id": id.slice(0, LONGEST) }),
  };
}
