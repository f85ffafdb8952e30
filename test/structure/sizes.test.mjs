import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  factsOf,
  linesOf,
  LONG_FUNCTION_LINES,
  PRODUCT,
  sourcesIn,
} from '../../scripts/lib/tree-figures.mjs';

const MAX_FILE_LINES = 300;
/** A name that two files export has to be looked up twice by each reader; a few pairs do mean the same thing. */
const MOST_NAMES_TWICE = 10;
/** A budget that is wider than this holds nothing. */
const WIDEST_ROOM_LINES = 400;

const product = PRODUCT.flatMap((folder) => sourcesIn(folder));
const facts = product.filter(({ path }) => /\.tsx?$/.test(path)).map((source) => factsOf(source));

/** @type {{ config: { lines: Record<string, number> } }} */
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

describe('the sizes of the product', () => {
  it('are of functions that a reader takes in at once', () => {
    const long = facts.flatMap(({ functions }) =>
      functions.filter(({ lines }) => lines > LONG_FUNCTION_LINES),
    );
    expect(long).toEqual([]);
  });

  it('are of files with one concept each', () => {
    expect(
      product
        .filter(({ path, lines }) => !path.endsWith('.css') && lines > MAX_FILE_LINES)
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('are of names that mean one thing', () => {
    /** @type {Map<string, number>} */
    const times = new Map();
    for (const name of facts.flatMap(({ exported }) => exported)) times.set(name, (times.get(name) ?? 0) + 1);
    const twice = [...times].filter(([, count]) => count > 1).map(([name]) => name);
    expect(twice.length, twice.join(', ')).toBeLessThanOrEqual(MOST_NAMES_TWICE);
  });

  // A budget is raised by a commit that says what the lines are for, and lowered by one that took some away.
  it.each(Object.entries(manifest.config.lines))(
    'keep to the budget of package.json in %s',
    (room, budget) => {
      const lines = linesOf(product.filter(({ path }) => path.startsWith(`${room}/`)));
      expect(lines).toBeLessThanOrEqual(budget);
      expect(budget - lines).toBeLessThanOrEqual(WIDEST_ROOM_LINES);
    },
  );
});
