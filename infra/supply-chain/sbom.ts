import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../project-root.ts";
import { licenceOf, shippedPackages, type ShippedPackage } from "./shipped-packages.ts";

/** Where the bill of materials is written, from the project's root; the image has it at its own root. */
export const SBOM_FILE = "dist/sbom.cdx.json";

const component = z.looseObject({
  "bom-ref": z.string(),
  name: z.string(),
  version: z.string(),
  licenses: z.array(z.unknown()).readonly().optional(),
});

const bill = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ "bom-ref": z.string() }) }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

export type Bill = z.infer<typeof bill>;

const WORKSPACE = /^number-porting-(?!service@)/;

/** The bill of what is installed, reduced to what is shipped, with the licences that package.json files lack. */
export function shippedBill(installed: Bill, shipped: readonly ShippedPackage[]): Bill {
  const known = new Map(shipped.map((one) => [`${one.name}@${one.version}`, one]));
  const components = installed.components.flatMap((one) => {
    const found = known.get(`${one.name}@${one.version}`);
    return found === undefined ? [] : [{ ...one, licenses: licensesOf(one.licenses, found) }];
  });
  const refs = new Set(components.map((one) => one["bom-ref"]));
  const root = installed.metadata.component["bom-ref"];
  const needs = new Map(installed.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  // What a workspace needs, the project needs.
  const ofWorkspaces = installed.dependencies
    .filter(({ ref }) => WORKSPACE.test(ref))
    .flatMap(({ dependsOn }) => dependsOn);
  const dependencies = [...needs]
    .filter(([ref]) => ref === root || refs.has(ref))
    .map(([ref, own]) => {
      const all = new Set(ref === root ? [...own, ...ofWorkspaces] : own);
      return { ref, dependsOn: [...all].filter((one) => refs.has(one)) };
    });
  return { ...installed, components, dependencies };
}

function licensesOf(given: readonly unknown[] = [], shipped: ShippedPackage): readonly unknown[] {
  const expression = licenceOf(shipped);
  const isRead = expression !== undefined && shipped.licence !== expression;
  return isRead || given.length === 0 ? [{ expression }] : given;
}

/** Writes the bill of materials of what the image and the pages have, in CycloneDX's JSON. @returns its path */
export function writeSbom(): string {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  const options = { cwd: projectRoot, encoding: "utf8", maxBuffer: 64 * 2 ** 20 } as const;
  const installed = bill.parse(JSON.parse(execFileSync("npm", args, options)));
  const { name } = z
    .object({ name: z.string() })
    .parse(JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")));
  // npm names the project after its folder.
  Object.assign(installed.metadata.component, { name });
  const path = join(projectRoot, SBOM_FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(shippedBill(installed, shippedPackages()), null, 2)}\n`);
  return path;
}
