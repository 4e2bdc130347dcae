import { createHash } from "node:crypto";
import { z } from "zod";
import { writeAudit } from "../../../domain/account/store/audit-log.ts";
import { inTransaction, type Queryable } from "../../../platform/db/transaction.ts";
import { notFound } from "../../../platform/http/body/check-request.ts";
import { timeText } from "../../../platform/http/routing/answer-fields.ts";
import { ok, type Reply } from "../../../platform/http/routing/reply.ts";
import { routesFor } from "../../../platform/http/routing/route.ts";
import {
  byCustomer,
  GET,
  PATCH,
  type AccountPrincipal,
  type CustomerRoute,
} from "../../access/customer-routes.ts";
import type { ApiDeps } from "../../api-deps.ts";
import { textLine } from "../../requirements/text-line.ts";
import { checkLogo, LOGO_TYPES, MAX_LOGO_BYTES, MAX_LOGO_SIDE } from "./logo-image.ts";
import {
  findBranding,
  findLogo,
  lockBranding,
  writeLogo,
  writeNameAndColour,
  type Branding,
  type Logo,
} from "./store.ts";

const LOGO_PATH = "/portal/logos";
const MAX_NAME = 64;

/** What an end user's page shows of the account that sent the link. */
export const shownBranding = z.object({
  name: z
    .string()
    .nullable()
    .meta({ description: "The name that end users know", examples: ["Acme Telecom"] }),
  colour: z
    .string()
    .nullable()
    .meta({ description: "The colour of buttons and links: `#rrggbb`", examples: ["#0a6b4f"] }),
  logo_url: z
    .string()
    .nullable()
    .meta({
      description: "Where a browser fetches the logo, without a key",
      examples: [`${LOGO_PATH}/${"0".repeat(64)}`],
    }),
});

export const brandingAnswer = shownBranding
  .extend({ updated_at: timeText("When it was last changed").nullable() })
  .meta({ id: "PortalBranding", description: "What the pages of links to an order show of it" });

const MAX_BASE64_LENGTH = 4 * Math.ceil(MAX_LOGO_BYTES / 3);

const logo = z
  .base64("It must be a PNG or JPEG in base64, without a data: prefix.")
  .max(MAX_BASE64_LENGTH, `It may have at most ${MAX_BASE64_LENGTH} characters.`)
  .transform((text, context): Logo => {
    const content = Buffer.from(text, "base64");
    const checked = checkLogo(content);
    if ("type" in checked) {
      return { type: checked.type, content, hash: createHash("sha256").update(content).digest() };
    }
    const { code, detail } = checked.fault;
    context.addIssue({ code: "custom", message: detail, params: { code } });
    return z.NEVER;
  });

/** PATCH /v2/portal_branding */
const brandingBody = z
  .strictObject({
    name: textLine(MAX_NAME)
      .nullable()
      .optional()
      .meta({ description: `One line of 1 to ${MAX_NAME} characters`, examples: ["Acme Telecom"] }),
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, "It must be #rrggbb, such as #0a6b4f.")
      .transform((text) => text.toLowerCase())
      .nullable()
      .optional()
      .meta({
        description: "`#rrggbb`; shown darker or lighter where text on it could not be read",
        examples: ["#0a6b4f"],
      }),
    logo: logo
      .nullable()
      .optional()
      .meta({
        description: `A PNG or JPEG in base64, up to 256 KiB and ${MAX_LOGO_SIDE} by ${MAX_LOGO_SIDE} pixels`,
      }),
  })
  .meta({ examples: [{ name: "Acme Telecom", colour: "#0a6b4f" }] });

const PATH = "/v2/portal_branding";

type BrandingDeps = Pick<ApiDeps, "bus">;

/** `/v2/portal_branding`: the account's name, colour and logo as its end users see them. */
export function portalBrandingRoutes({ bus: { clock } }: BrandingDeps): CustomerRoute[] {
  return [
    GET(PATH, "Read what end users see of the account", {
      description: "On the pages of portal links to an order. All null until it is set.",
      answers: { 200: brandingAnswer },
      handle: async ({ db, principal }) =>
        ok(answerOf(await findBranding(db, principal.accountId))),
    }),
    PATCH(PATH, "Set what end users see of the account", {
      description: "Null takes away what was set. It is shown the next time that a page is opened.",
      answers: { 200: brandingAnswer },
      body: brandingBody,
      handle: async (request) => {
        const { db, principal, body } = request;
        const at = clock.now();
        const changed = await inTransaction(db, async (tx) => {
          const { before, after } = await change(tx, { ...body, at, ...principal });
          const entry = { ...byCustomer(request, at), action: "portal_branding.changed" };
          await writeAudit(tx, { ...entry, before: audited(before), after: audited(after) });
          return after;
        });
        return ok(answerOf(changed));
      },
    }),
  ];
}

interface Change extends Pick<AccountPrincipal, "accountId">, z.output<typeof brandingBody> {
  readonly at: Date;
}

async function change(tx: Queryable, { accountId, at, ...sent }: Change) {
  const before = await lockBranding(tx, accountId, at);
  const { name = before.name, colour = before.colour } = sent;
  await writeNameAndColour(tx, accountId, { name, colour });
  if (sent.logo !== undefined) await writeLogo(tx, accountId, sent.logo);
  const logo_hash = sent.logo === undefined ? before.logo_hash : (sent.logo?.hash ?? null);
  return { before, after: { name, colour, logo_hash, updated_at: at } };
}

function audited({ name, colour, logo_hash }: Branding) {
  return { name, colour, logo_sha256: logo_hash?.toString("hex") ?? null };
}

function answerOf(branding: Branding) {
  return { ...shownOf(branding), updated_at: branding.updated_at };
}

/** As the page of a link gets it. */
export function shownOf({
  name,
  colour,
  logo_hash: hash,
}: Branding): z.infer<typeof shownBranding> {
  return { name, colour, logo_url: hash === null ? null : `${LOGO_PATH}/${hash.toString("hex")}` };
}

const anyone = routesFor<AccountPrincipal, "public">("public");

/** `GET /portal/logos/{hash}`, which the page of a link asks for before there is a session. */
export function logoRoute(): CustomerRoute {
  return anyone.GET(`${LOGO_PATH}/:hash`, "Fetch a logo", {
    operationId: "getPortalLogo",
    description: "For the page of a portal link. It never changes: another logo has another path.",
    answers: { 200: { mediaTypes: LOGO_TYPES } },
    params: {
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ description: "SHA-256 of the logo, in hex", examples: ["0".repeat(64)] }),
    },
    produces: "*/*",
    find: logoOf,
    handle: async (request) => logoReply(await logoOf(request)),
  });
}

interface LogoPath {
  readonly db: Queryable;
  readonly params: { readonly hash: string };
}

async function logoOf({ db, params: { hash } }: LogoPath): Promise<Omit<Logo, "hash">> {
  const found = await findLogo(db, Buffer.from(hash, "hex"));
  if (found === null) throw notFound();
  return found;
}

function logoReply({ type, content }: Omit<Logo, "hash">): Reply {
  return {
    status: 200,
    headers: {
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
    raw: { type, content },
  };
}
