import { isQuickPattern } from './pattern-guard.ts';
import { isObject, type Schema } from './schema-resolve.ts';

/** Limit for the schemas visited by one check, because a few references to each other can produce millions. */
const MOST_STEPS = 50_000;
const MOST_DEPTH = 100;

/** Keywords whose content is a value, not a schema. */
const values = new Set(['const', 'enum', 'default', 'examples']);

/**
 * Copy of a server's schema that cannot block the window. It throws after `MOST_STEPS` visits, and lacks patterns
 * that might be slow on the texts of `value`.
 */
export function guardedSchema(schema: Schema, value: unknown): Schema {
  const longest = longestText(value, 0);
  let stepsLeft = MOST_STEPS;
  const step = (kept: unknown) => () => {
    stepsLeft -= 1;
    if (stepsLeft < 0) throw new Error('The schema is too much to check.');
    return kept;
  };

  function copy(part: unknown, depth: number): unknown {
    if (depth > MOST_DEPTH) throw new Error('The schema is too deep to check.');
    if (Array.isArray(part)) return part.map((item) => copy(item, depth + 1));
    if (!isObject(part)) return part;
    const entries = Object.entries(withoutSlowPatterns(part, longest));
    const copied = Object.fromEntries(
      entries
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => [key, values.has(key) ? inner : copy(inner, depth + 1)]),
    );
    // The validator reads this keyword once in each schema that it visits, and has no limit of its own.
    const word = '$recursiveAnchor';
    return Object.defineProperty(copied, word, { get: step(part[word]), enumerable: false });
  }
  return copy(schema, 0) as Schema;
}

function withoutSlowPatterns(part: Schema, longest: number): Schema {
  const { pattern, patternProperties, additionalProperties, unevaluatedProperties, ...rest } = part;
  const isQuick = typeof pattern !== 'string' || isQuickPattern(pattern, longest);
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  // Keywords for the remaining properties go with a slow pattern, because the remaining properties are then unknown.
  const areQuick = names.every((name) => isQuickPattern(name, longest));
  return {
    ...rest,
    ...(isQuick && { pattern }),
    ...(areQuick && { patternProperties, additionalProperties, unevaluatedProperties }),
  };
}

/** Length of the longest text or property name in a value. */
function longestText(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return 0;
  return Object.entries(value).reduce(
    (longest, [key, inner]) => Math.max(longest, key.length, longestText(inner, depth + 1)),
    0,
  );
}
