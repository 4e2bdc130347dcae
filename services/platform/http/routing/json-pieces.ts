/** Pieces have at least as many characters, except for the last. */
const PIECE_LENGTH = 65_536;

/**
 * A body as JSON, in pieces that are made when they are asked for. Only lists (`{data: […], …}`) have several: each entry
 * becomes text when the reader has taken those before it.
 */
export function* jsonPieces(body: unknown): Generator<string, void> {
  if (!isList(body)) {
    yield JSON.stringify(body);
    return;
  }
  const { data, ...rest } = body;
  let piece = '{"data":[';
  let separator = "";
  for (const entry of data) {
    piece += separator + JSON.stringify(entry);
    separator = ",";
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  const after = JSON.stringify(rest).slice(1);
  yield `${piece}]${after === "}" ? "" : ","}${after}`;
}

function isList(body: unknown): body is { readonly data: readonly unknown[] } {
  if (typeof body !== "object" || body === null) return false;
  const [first] = Object.keys(body);
  return first === "data" && "data" in body && Array.isArray(body.data);
}
