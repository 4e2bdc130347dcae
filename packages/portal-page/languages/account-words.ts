import type { Texts } from "./words.ts";

export type AnyTexts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The service's own sentence, which names things as the API does. */
const SAID = "{{detail}}";

/** The English texts for people who port numbers every day: fields have the names that the API gives them. */
export function forAccount(english: Texts): AnyTexts {
  const { letter, send, fault } = english;
  return {
    ...english,
    field: {},
    letter: { ...letter, name_hint: "As the losing carrier knows it." },
    send: {
      ...send,
      title: "Submit",
      explained: "The porting desk reads everything before the losing carrier is asked.",
      button: "Submit for review",
    },
    fault: {
      ...fault,
      signer_mismatch: SAID,
      unprintable: SAID,
      not_found: SAID,
      account_suspended: SAID,
      quota_exceeded: SAID,
      invalid_state: SAID,
    },
  };
}
