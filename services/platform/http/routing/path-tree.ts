import { AppError } from "../../errors.ts";

/** A path that ends here, with what is stored for it. */
interface Branch<T> {
  readonly fixed: Map<string, Branch<T>>;
  parameter: Branch<T> | null;
  readonly ends: T[];
}

/** What a path leads to: everything stored for its most specific pattern, and what its parameters stand for. */
export interface Found<T> {
  readonly ends: readonly T[];
  readonly captures: readonly string[];
}

const PARAMETER = /^:[a-z_]+$/;
/** What would be a pattern within a segment elsewhere, and is none here. */
const PATTERN = /[:*{}()[\]?+!]/;

/**
 * Patterns of paths, such as `/things/:id`, as a tree by segments, so that a look-up costs as many steps as the path has
 * segments, however many patterns there are. A parameter stands for one segment that is not empty, and a fixed segment
 * precedes it: `/things/search` is no thing.
 */
export class PathTree<T> {
  readonly #root = newBranch<T>();

  /** @throws `invalid_config` for a segment that is part fixed, part pattern */
  add(pattern: string, end: T): void {
    let branch = this.#root;
    for (const segment of pattern.split("/")) {
      if (PARAMETER.test(segment)) branch = branch.parameter ??= newBranch();
      else branch = fixedBranch(branch, segment, pattern);
    }
    branch.ends.push(end);
  }

  /** Null where no pattern fits. */
  find(path: string): Found<T> | null {
    return follow(this.#root, { segments: path.split("/"), at: 0 });
  }
}

function newBranch<T>(): Branch<T> {
  return { fixed: new Map(), parameter: null, ends: [] };
}

function fixedBranch<T>({ fixed }: Branch<T>, segment: string, pattern: string): Branch<T> {
  if (PATTERN.test(segment)) {
    throw new AppError("invalid_config", `${pattern}: a segment is either fixed or a parameter`);
  }
  const known = fixed.get(segment);
  if (known !== undefined) return known;
  const made = newBranch<T>();
  fixed.set(segment, made);
  return made;
}

interface Rest {
  readonly segments: readonly string[];
  /** The next one. */
  readonly at: number;
}

/** Goes back to a parameter where the fixed segment before it has led nowhere. */
function follow<T>(branch: Branch<T>, { segments, at }: Rest): Found<T> | null {
  const segment = segments[at];
  if (segment === undefined)
    return branch.ends.length === 0 ? null : { ends: branch.ends, captures: [] };
  const rest = { segments, at: at + 1 };
  const fixed = branch.fixed.get(segment);
  const found = fixed === undefined ? null : follow(fixed, rest);
  if (found !== null || branch.parameter === null || segment === "") return found;
  const inside = follow(branch.parameter, rest);
  return inside === null ? null : { ...inside, captures: [segment, ...inside.captures] };
}
