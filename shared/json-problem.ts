/** Value that cannot be written as JSON, and its path. */
interface JsonProblem {
  readonly path: readonly (string | number)[];
  /** Description of the value: "a bigint", "an object that contains itself". */
  readonly found: string;
}

/** Maximum depth of values that are written. Deeper values would overflow the call stack. */
const MAX_DEPTH = 500;

/**
 * Returns a description of the first argument that JSON cannot express or would change: cycles, functions, bigints, NaN, dates,
 * holes in arrays. A field with the value `undefined` counts as missing. Returns undefined if all arguments are fine.
 */
export function describeOddArgument(call: string, args: readonly unknown[]): string | undefined {
  for (const [index, argument] of args.entries()) {
    const problem = argument === undefined ? undefined : new JsonCheck().problemIn(argument, []);
    if (problem === undefined) continue;
    const place = [`argument ${index + 1}`, problem.path.join('.')].filter((part) => part !== '').join(', ');
    return `${call}: ${place}: expected a JSON value, found ${problem.found}`;
  }
  return undefined;
}

class JsonCheck {
  /** Objects that contain the current value; `#fine` contains the objects that were already checked. */
  readonly #open = new Set<object>();
  readonly #fine = new Set<object>();

  problemIn(value: unknown, path: readonly (string | number)[]): JsonProblem | undefined {
    if (typeof value !== 'object' || value === null) {
      const found = oddityOf(value);
      return found === undefined ? undefined : { path, found };
    }
    if (this.#fine.has(value)) return undefined;
    if (this.#open.has(value)) return { path, found: 'an object that contains itself' };
    if (path.length > MAX_DEPTH)
      return { path: [], found: `more than ${MAX_DEPTH} levels of objects and lists` };
    const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
    if (kind !== 'Object' && kind !== 'Array') return { path, found: `a ${kind}` };
    this.#open.add(value);
    const problem = this.#problemWithin(value, path);
    this.#open.delete(value);
    this.#fine.add(value);
    return problem;
  }

  #problemWithin(value: object, path: readonly (string | number)[]): JsonProblem | undefined {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const problem = this.problemIn(item, [...path, index]);
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
    for (const [name, field] of Object.entries(value)) {
      const problem = field === undefined ? undefined : this.problemIn(field, [...path, name]);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}

function oddityOf(value: unknown): string | undefined {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  return ['bigint', 'function', 'symbol'].includes(typeof value) ? `a ${typeof value}` : undefined;
}
