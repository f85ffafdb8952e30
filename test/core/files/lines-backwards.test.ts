import fc from 'fast-check';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { linesBackwards } from '../../../electron/core/journal/read-events.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = tempFolder('lines-');
  path = join(folder, 'file');
});

async function lines(text: string, maxBytes = 10_000_000, maxLineBytes = 100_000) {
  await writeFile(path, text);
  const file = await open(path);
  try {
    const found: (string | undefined)[] = [];
    for await (const line of linesBackwards(file, { maxBytes, maxLineBytes })) found.push(line);
    return found;
  } finally {
    await file.close();
  }
}

describe('linesBackwards', () => {
  it('gives every line, the last first, wherever the slices fall', async () => {
    const line = fc
      .tuple(fc.constantFrom('', 'a', 'é', '🚀', 'aé🚀'), fc.integer({ min: 1, max: 9000 }))
      .map(([unit, count]) => unit.repeat(count));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (all, isEnded) => {
        const found = await lines(all.join('\n') + (isEnded ? '\n' : ''), undefined, 1_000_000);
        // Comparison as one boolean, because a report of the difference between long lines helps nobody.
        expect(found.join('\n') === all.toReversed().filter(Boolean).join('\n')).toBe(true);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('reads no more than its bound, and leaves the line out that the bound cuts in two', async () => {
    expect(await lines('aaaa\nbbbb\ncccc\n', 11)).toEqual(['cccc', 'bbbb']);
    expect(await lines('aaaa\nbbbb\ncccc\n', 10)).toEqual(['cccc']);
  });

  it('says that there is a line which is too long, without its text', async () => {
    const long = 'x'.repeat(300_000);
    expect(await lines(`one\n${long}\ntwo\n`)).toEqual(['two', undefined, 'one']);
    expect(await lines(long)).toEqual([undefined]);
  });
});
