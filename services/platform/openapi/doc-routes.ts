import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Context } from "koa";

import type { Reply } from "../http/routing/reply.ts";
import { fewPerAddress } from "../http/routing/few-per-address.ts";
import { routesFor, type Route } from "../http/routing/route.ts";
import { z } from "zod";
import { describeApi, type ApiDescription, type ServedDocument } from "./describe-api.ts";

const resolve = createRequire(import.meta.url);

/** The page runs only its own files and fetches from nowhere else; its script sets inline styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The way back to the docs site that the page belongs to. */
const HOME = `<p style="margin:0;padding:12px 20px;font:16px system-ui,sans-serif"><a href="../docs">← Docs</a></p>`;

/** `name` is the last part of the page's path, which relative URLs start at. */
const pageHtml = (name: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${name}/page.css">
<script src="${name}/renderer.js" defer></script>
<script src="${name}/start.js" defer></script>
</head>
<body>${name === "docs" ? "" : HOME}<div id="page"></div></body>
</html>
`;

/** The document lies at the root, as many folders above the page as its path has. */
const startScript = (
  path: string,
): string => `const dark = matchMedia("(prefers-color-scheme: dark)");
const chosen = { light: false, dark: true };
const isDark = () => chosen[localStorage.getItem("theme")] ?? dark.matches;
const paint = () => document.documentElement.classList.toggle("dark-mode", isDark());
dark.addEventListener("change", paint);
paint();
SwaggerUIBundle({
  url: "${"../".repeat(path.split("/").length - 2)}openapi.json",
  dom_id: "#page",
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
`;

/** A megabyte each where a client takes it uncompressed. */
const DOCUMENTS_PER_MINUTE = 60;
/** Of the files beside it, the largest of which has 1.7 MB. */
const FILES_PER_MINUTE = 240;

/** Counts a request by its address. @throws `rate_limited` above so many a minute */
type Count = (ctx: Context) => void;

function countOf(perMinute: number, { limitsAddresses = true }: ApiDescription): Count {
  if (!limitsAddresses) return () => undefined;
  const count = fewPerAddress(perMinute);
  return (ctx) => count(ctx.req.socket.remoteAddress ?? "");
}

const openApiAnswer = z
  .looseObject({
    openapi: z
      .string()
      .meta({ description: "The version of the OpenAPI specification", examples: ["3.1.0"] }),
  })
  .meta({ id: "OpenApiDocument", description: "An OpenAPI document" });

/**
 * `/openapi.json`, which describes all `others` and itself, the description's documents, and the page that shows it in a
 * browser. Page and documents are not operations of the API.
 */
export function docRoutes<P>(
  others: readonly Route<P>[],
  description: ApiDescription,
  publicUrl: string,
): Route<P>[] {
  const countFile = countOf(FILES_PER_MINUTE, description);
  const pages = pageRoutes<P>(description.page ?? "/docs", countFile);
  const documents = description.documents ?? [];
  const beside = [...pages, ...documents.map((one) => documentRoute<P>(one, countFile))];
  let document: Buffer | null = null;
  const count = countOf(DOCUMENTS_PER_MINUTE, description);
  const { GET } = routesFor<P, "public">("public");
  const self: Route<P> = GET("/openapi.json", "Get this API description", {
    operationId: "getOpenApiDocument",
    description: "The document that you are reading: OpenAPI 3.1, for programs and generators.",
    quiet: true,
    answers: { 200: openApiAnswer },
    handle: ({ ctx }): Reply => {
      count(ctx);
      document ??= Buffer.from(
        JSON.stringify(describeApi([...others, self], description, publicUrl)),
      );
      const raw = { type: "application/json", content: document, isConstant: true };
      return { status: 200, raw };
    },
  });
  return [self, ...beside];
}

function documentRoute<P>({ path, content }: ServedDocument, count: Count): Route<P> {
  return page(path, "application/json", { read: () => JSON.stringify(content()), count });
}

function pageRoutes<P>(path: string, count: Count): Route<P>[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const packaged = (name: string) => () =>
    readFileSync(resolve.resolve(`swagger-ui-dist/${name}`), "utf8");
  const file = (at: string, type: string, read: () => string) => page<P>(at, type, { read, count });
  return [
    file(path, "text/html", () => pageHtml(name)),
    file(`${path}/start.js`, "text/javascript", () => startScript(path)),
    file(`${path}/renderer.js`, "text/javascript", packaged("swagger-ui-bundle.js")),
    file(`${path}/page.css`, "text/css", packaged("swagger-ui.css")),
  ];
}

function page<P>(
  path: string,
  type: string,
  { read, count }: { readonly read: () => string; readonly count: Count },
): Route<P> {
  let content: Buffer | null = null;
  const handle = ({ ctx }: { readonly ctx: Context }): Reply => {
    count(ctx);
    content ??= Buffer.from(read());
    return {
      status: 200,
      headers: { "Content-Security-Policy": POLICY, "Cache-Control": "public, max-age=300" },
      raw: { type: `${type}; charset=utf-8`, content, isConstant: true },
    };
  };
  const isPage = type === "text/html";
  const summary = isPage ? "View the API description in a browser" : "A file beside the API";
  const answers = { 200: { mediaTypes: [type] } };
  const { GET } = routesFor<P, "public">("public");
  return GET(path, summary, { quiet: true, produces: "*/*", answers, handle });
}
