import { customerDocument } from "../../../services/api/routes.ts";
import { deskDocument } from "../../../services/desk/routes.ts";
import type { ApiDocument } from "../../client/document.ts";
import type { Reference } from "./reference-pages.ts";

/** The APIs that the site describes operation by operation, from the documents that generators read. */
export const REFERENCES: readonly Reference[] = [
  {
    file: "docs/api.md",
    label: "Customers' API",
    document: customerDocument() as ApiDocument,
    names: { url: "$API", key: "$KEY", client: "porting" },
    intro: `The samples call the address \`$API\` with the key \`$KEY\`; in Python they are \`url\` and \`key\`, and
\`requests\` is imported. TypeScript calls [our client](/docs/client). \`--json\` needs curl 7.82. POST and PATCH
take \`Idempotency-Key\`; every answer has the \`Request-Id\` to quote when you report a problem. For programs the same
is at \`/openapi.json\`.`,
  },
  {
    file: "docs/desk-api.md",
    label: "Desk API",
    document: deskDocument() as ApiDocument,
    names: { url: "$DESK", key: "$TOKEN", client: null },
    intro: `The samples call the desk's address \`$DESK\` with an operator's token \`$TOKEN\`; in Python they are \`url\` and
\`key\`, and \`requests\` is imported. For programs the same is at \`/openapi.json\` of the desk's address.`,
  },
];
