import { AppError } from "../../../platform/errors.ts";

/** Enough to recognise a name by, which may have any length. */
const SHOWN = 64;

/** For its sender's receipt and the desk: the name as it came, and where those stand that there are. */
export function unknownProvider(name: string): AppError {
  const shown = JSON.stringify(name.slice(0, SHOWN));
  const detail = `There is no provider ${shown}: the names are those of the files in CARRIERS_DIR/providers.`;
  return new AppError("provider_mismatch", detail);
}
