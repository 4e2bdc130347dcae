/** A page of the site: its source, and its name in the list of pages where the title is too long for one. */
export interface PageEntry {
  /** From the project's root. */
  readonly file: string;
  readonly label?: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly PageEntry[];
}

const guide = (name: string): PageEntry => ({ file: `docs/guides/${name}.md` });

/** Every page in reading order; the first is the site's home. */
export const SECTIONS: readonly Section[] = [
  {
    title: "Start",
    pages: [{ file: "docs/README.md", label: "Overview" }, guide("quick-start"), guide("concepts")],
  },
  {
    title: "For customers",
    pages: [
      guide("requests"),
      guide("requirements"),
      guide("documents-and-letters"),
      guide("webhooks"),
      { file: "docs/events.md" },
      guide("recovery"),
      { file: "docs/sandbox.md", label: "Sandbox numbers" },
      guide("changes"),
      guide("numbers"),
      guide("port-outs"),
      { file: "docs/portal.md", label: "Portal" },
      guide("errors"),
      guide("limits"),
      guide("versioning"),
      { file: "CHANGELOG.md" },
    ],
  },
  {
    title: "Clients",
    pages: [
      { file: "docs/cli.md", label: "Command line" },
      { file: "docs/client.md", label: "TypeScript client" },
      { file: "docs/clients.md" },
    ],
  },
  {
    title: "For carriers, analysts and operators",
    pages: [
      { file: "docs/carriers.md" },
      { file: "docs/analytics.md", label: "Analytics" },
      { file: "docs/desk.md" },
      { file: "docs/operations.md" },
      { file: "docs/runbooks.md" },
      { file: "docs/scale.md" },
      guide("docker"),
      guide("kubernetes"),
      { file: "docs/benchmarks.md" },
      { file: "docs/security.md" },
      { file: "docs/glossary.md" },
    ],
  },
];

/** Where the site is served, by the customers' API. */
export const SITE_PATH = "/docs";

/** `docs/guides/webhooks.md` → `guides/webhooks`; the home has the empty name. */
export function nameOf(file: string): string {
  const name = file.replace(/^docs\//, "").replace(/\.md$/, "");
  return name === "README" ? "" : name.toLowerCase();
}

export function urlOf(file: string): string {
  const name = nameOf(file);
  return name === "" ? SITE_PATH : `${SITE_PATH}/${name}`;
}
