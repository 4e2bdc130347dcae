interface CodeMeaning {
  readonly means: string;
  readonly todo: string;
}

const BY_SENDER = "Tell the sender, whose receipt names the code, and discard it.";

/** What a code says of a message, and what is to be done with that (docs/runbooks.md, DeadLettersOpen). */
const CODES: Readonly<Record<string, CodeMeaning>> = {
  undecodable: { means: "It is no record of the topic’s schema.", todo: BY_SENDER },
  null_value: { means: "It has no value, where the topic wants a record.", todo: BY_SENDER },
  unknown_schema: {
    means: "The registry has no such version of the topic’s schema.",
    todo: "Have the sender register its schema, then replay it.",
  },
  invalid_message: { means: "Its key or its headers are too large.", todo: BY_SENDER },
  unknown_order: { means: "There is no order with the id that it names.", todo: BY_SENDER },
  unknown_number: { means: "No account has the number that was called.", todo: BY_SENDER },
  unknown_port_out: {
    means: "This provider has not asked for a port-out under that reference.",
    todo: "Replay it once the request has come; else tell the sender, and discard it.",
  },
  unknown_decision: {
    means: "It answers a decision that nobody made.",
    todo: "Ask the developers, and keep it until they have seen it.",
  },
  rule_broken: {
    means: "A field is missing or wrong: the sentence above names it.",
    todo: BY_SENDER,
  },
  provider_mismatch: {
    means: "The order belongs to another provider, or was never sent to this one.",
    todo: "See the order’s provider; then tell the sender, and discard it.",
  },
  update_conflict: {
    means: "Its update id was used before, with other content.",
    todo: "Have the sender publish it again under a new update id, and discard it.",
  },
  handler_failed: {
    means: "A fault of this service, five times over.",
    todo: "Tell the developers; replay it after the fault is mended.",
  },
  handler_died: {
    means: "Three processes ended while they handled it, so that it is not read any more.",
    todo: "Keep it for the developers, and replay it only after the fault is mended: it would end three more.",
  },
};

const OTHER: CodeMeaning = {
  means: "This code is not known here.",
  todo: "Ask the developers, and keep it until they have seen it.",
};

export function meaningOf(code: string): CodeMeaning {
  return CODES[code] ?? OTHER;
}

/** The codes that a list can be filtered by. */
export const ERROR_CODES = Object.keys(CODES);

/** The bytes of a value that could not be decoded; null of one that could. */
export function bytesOf(value: Readonly<Record<string, unknown>> | null): Uint8Array | null {
  const base64 = value?.["base64"];
  if (typeof base64 !== "string" || Object.keys(value ?? {}).length !== 1) return null;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const LINE = 16;
/** Of a value of 2 MiB the browser would draw 130,000 lines. */
const MOST_BYTES = 16_384;

/** `00000010  7b 22 61 22 …  {"a"…`, as hexdump prints it. */
export function hexOf(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, MOST_BYTES);
  const lines = Array.from({ length: Math.ceil(shown.length / LINE) }, (_, n) => {
    const part = [...shown.subarray(n * LINE, (n + 1) * LINE)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "."));
    return `${(n * LINE).toString(16).padStart(8, "0")}  ${hex.padEnd(3 * LINE - 1)}  ${text.join("")}`;
  });
  const left = bytes.length - shown.length;
  return lines.join("\n") + (left > 0 ? `\n… ${left.toLocaleString("en")} bytes more` : "");
}

/** The bytes as text, what is none marked. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, MOST_BYTES));
}
