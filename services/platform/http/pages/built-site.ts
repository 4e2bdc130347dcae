import {
  fileReply,
  notBuilt,
  pageReply,
  prefersPage,
  readFiles,
  type BuiltPages,
  type PageOptions,
} from "./built-pages.ts";

/** What a browser is shown where the site has no such page. */
export const NOT_FOUND_PAGE = "not-found";

/**
 * A site's built files, kept in memory: `index.html` at `base`, each other page at its name without `.html`, and
 * `assets/`, named by their content. Pages are read by programs too, so that any `Accept` gets them.
 * @throws `invalid_config` where the folder has not been built
 */
export function openSite({ folder, base }: Omit<PageOptions, "name">): BuiltPages {
  const files = readFiles(folder, base);
  const page = (name: string): Buffer | undefined => files.get(`${base}${name}.html`);
  const missing = page(NOT_FOUND_PAGE);
  if (page("index") === undefined || missing === undefined) throw notBuilt(folder);
  return {
    answer: (path, accepts) => {
      if (path !== base.slice(0, -1) && !path.startsWith(base)) return null;
      const name = path.slice(base.length);
      const asset = name.startsWith("assets/") ? files.get(path) : undefined;
      if (asset !== undefined) return fileReply(path, asset);
      const found = page(name === "" ? "index" : name);
      if (found !== undefined) return pageReply(found);
      return prefersPage(accepts) ? pageReply(missing, 404) : null;
    },
  };
}
