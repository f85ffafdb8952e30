/** More values than this are nothing that anybody could use as a whole. */
export const MAX_VALUES = 100_000;
/** Programs that call themselves for each level run out of stack at some thousands. */
export const MAX_DEPTH = 500;

/**
 * The number of values at all depths, the outermost included, and of levels of lists and objects. Without recursion,
 * because the nesting may have any depth.
 */
export function sizeOf(value: unknown): { readonly count: number; readonly depth: number } {
  let count = 1;
  let depth = 0;
  for (let level = containersIn([value]); level.length > 0; depth += 1) {
    const inner = level.flatMap((one) => Object.values(one) as unknown[]);
    count += inner.length;
    level = containersIn(inner);
  }
  return { count, depth };
}

const containersIn = (values: readonly unknown[]): object[] =>
  values.filter((value): value is object => typeof value === 'object' && value !== null);
