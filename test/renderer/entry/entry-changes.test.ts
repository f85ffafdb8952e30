import { describe, expect, it } from 'vitest';
import { MASK } from '../../../renderer/entry/entry-json.ts';
import { changesBetween, hasMaskedChange } from '../../../renderer/entry/entry-changes.ts';

describe('changesBetween()', () => {
  const mine = {
    command: 'npx',
    args: ['-y', 'a@1', '--api-key=old'],
    env: { TOKEN: 'old', GONE: 'x' },
    cwd: '/w',
  };
  const theirs = {
    command: 'npx',
    args: ['-y', 'a@2', 'two words', '--api-key=new'],
    env: { TOKEN: 'new', MORE: 'y' },
  };

  it('tells field by field what was there and what would be, with secrets masked', () => {
    expect(changesBetween(mine, theirs, false)).toEqual([
      {
        field: 'arguments',
        before: `-y a@1 --api-key=${MASK}`,
        after: `-y a@2 "two words" --api-key=${MASK}`,
      },
      { field: 'variable TOKEN', before: MASK, after: MASK },
      { field: 'variable MORE', before: undefined, after: MASK },
      { field: 'variable GONE', before: MASK, after: undefined },
      { field: 'working folder', before: '/w', after: undefined },
    ]);
  });

  it('shows the values when asked', () => {
    expect(changesBetween(mine, theirs, true)).toContainEqual({
      field: 'variable TOKEN',
      before: 'old',
      after: 'new',
    });
    expect(hasMaskedChange(mine, theirs)).toBe(true);
    expect(hasMaskedChange({ command: 'a' }, { command: 'b' })).toBe(false);
  });

  it('is nothing between equal entries, whatever their order', () => {
    expect(changesBetween({ command: 'a', args: [] }, { args: [], command: 'a' }, false)).toEqual([]);
  });
});
