import type { ShippedPackage } from "./shipped-packages.ts";

/**
 * The SPDX expressions under which a package may be shipped. Each allows use in a proprietary product and
 * asks for its text beside the copy at most, which the package itself or the pages' licenses.md has.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT AND Zlib",
  "PSF-2.0",
  "Unlicense",
  "Bitstream-Vera",
]);

/** Those that ask to be credited where people read it: NOTICE has each package under one. */
const ALLOWED_WITH_CREDIT: ReadonlySet<string> = new Set(["ISC AND CC-BY-3.0"]);

/** Packages whose package.json has no SPDX expression, by what the licence file of just this version says. */
const READ: ReadonlyMap<string, string> = new Map([
  ["@kafkajs/confluent-schema-registry@3.9.0", "MIT"],
  ["dejavu-fonts-ttf@2.37.3", "Bitstream-Vera"],
  ["png-js@2.0.0", "MIT"],
]);

const idOf = ({ name, version }: ShippedPackage): string => `${name}@${version}`;

/** A package's SPDX expression without outer parentheses; undefined where nobody knows it. */
export function licenceOf(shipped: ShippedPackage): string | undefined {
  return READ.get(idOf(shipped)) ?? shipped.licence?.replace(/^\((.*)\)$/, "$1");
}

/** The packages that nobody has allowed yet, each with its licence. */
export function unknownLicences(all: readonly ShippedPackage[]): string[] {
  return all.flatMap((one) => {
    const licence = licenceOf(one) ?? "no licence";
    const isAllowed = ALLOWED.has(licence) || ALLOWED_WITH_CREDIT.has(licence);
    return isAllowed ? [] : [`${idOf(one)}: ${licence}`];
  });
}

/** The names of the packages that NOTICE has to credit. */
export function creditedPackages(all: readonly ShippedPackage[]): string[] {
  return all.filter((one) => ALLOWED_WITH_CREDIT.has(licenceOf(one) ?? "")).map(({ name }) => name);
}

/** Entries of the tables that no shipped package needs any more. */
export function unusedLicences(all: readonly ShippedPackage[]): string[] {
  const ids = new Set(all.map(idOf));
  const used = new Set(all.map(licenceOf));
  const allowed = [...ALLOWED, ...ALLOWED_WITH_CREDIT].filter((licence) => !used.has(licence));
  return [...allowed, ...[...READ.keys()].filter((id) => !ids.has(id))];
}
