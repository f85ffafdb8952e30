import { describe, expect, it } from 'vitest';
import { nextScheme } from '../../../renderer/settings/use-theme.ts';

describe.each(['light', 'dark'] as const)('the next scheme on a %s system', (system) => {
  const other = system === 'light' ? 'dark' : 'light';

  it('looks different from the one as the system has it', () => {
    expect(nextScheme('auto', system)).toBe(other);
  });

  it('comes round through all three', () => {
    const first = nextScheme('auto', system);
    const second = nextScheme(first, system);
    expect([first, second, nextScheme(second, system)]).toEqual([other, system, 'auto']);
  });
});
