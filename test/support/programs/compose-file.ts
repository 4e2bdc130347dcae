import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";

const service = z.looseObject({
  image: z.string(),
  build: z.looseObject({}).optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
});

const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.unknown()),
});

export type ComposeService = z.infer<typeof service>;

/** The variables that Compose interpolates. */
export type Variables = Readonly<Record<string, string>>;

export const composeText = readFileSync(join(projectRoot, "docker-compose.yml"), "utf8");

/** docker-compose.yml with its anchors resolved, before its variables are filled in. */
export const rawCompose: unknown = parse(composeText, { merge: true, maxAliasCount: -1 });

export const compose = composeFile.parse(rawCompose);

/** One service or job of the file. @throws {TypeError} where there is none */
export function composeService(name: string): ComposeService {
  const found = compose.services[name];
  if (found === undefined) throw new TypeError(`docker-compose.yml has no service ${name}`);
  return found;
}

/** Services and jobs that run the project's own image. */
export const ownServices = Object.keys(compose.services).filter((name) =>
  composeService(name).image.startsWith("number-porting-service:"),
);

const INNERMOST = /\$\{([A-Za-z_]\w*)(?:(:-|:\?)([^${}]*))?\}/;
const DOLLAR = "\u0000";

/** Fills in variables as Compose does: `${A}`, `${A:-default}`, `${A:?error}`, nested ones too; `$$` is a dollar. */
export function interpolate(text: string, variables: Variables): string {
  let filled = text.replaceAll("$$", DOLLAR);
  for (let match = INNERMOST.exec(filled); match !== null; match = INNERMOST.exec(filled)) {
    const [whole, name = "", operator = "", operand = ""] = match;
    const value = variables[name] ?? "";
    if (value === "" && operator === ":?") throw new TypeError(`${name}: ${operand}`);
    const put = value === "" && operator === ":-" ? operand : value;
    filled = filled.replace(whole, () => put);
  }
  return filled.replaceAll(DOLLAR, "$");
}

/** A service's environment as its container receives it. */
export function environmentOf(name: string, variables: Variables): Record<string, string> {
  const entries = Object.entries(composeService(name).environment);
  return Object.fromEntries(entries.map(([key, value]) => [key, interpolate(value, variables)]));
}

/** The names of all variables that the file interpolates. */
export function interpolatedNames(): Set<string> {
  const found = composeText.replaceAll("$$", "").matchAll(/\$\{([A-Za-z_]\w*)/g);
  return new Set([...found].map(([, name = ""]) => name));
}
