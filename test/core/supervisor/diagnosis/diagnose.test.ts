import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../electron/core/supervisor/diagnosis/diagnose.ts';
import { allTails } from './stderr-tails.ts';

describe('diagnose', () => {
  it.each(allTails.map((tail) => [tail.name, tail] as const))('finds the line that says why: %s', (_name, known) => {
    const found = diagnose(known.tail);
    expect(found?.cause).toBe(known.cause);
    expect(found?.isTelling).toBe(true);
    expect(found?.remedy?.fix.kind).toBe(known.fix);
    if (known.remedy !== undefined) expect(found?.remedy?.words).toBe(known.remedy);
  });
});
