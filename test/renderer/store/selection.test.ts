import { describe, expect, it } from 'vitest';
import {
  extendTo,
  keepShown,
  noSelection,
  selectAll,
  toggle,
  type Selection,
} from '../../../renderer/store/selection.ts';

const shown = ['a', 'b', 'c', 'd', 'e'];
const letters = ({ names }: Selection) => [...names].toSorted().join('');

describe('the selection of servers', () => {
  it('takes a server in and out', () => {
    const one = toggle(noSelection, 'b');
    expect(letters(toggle(one, 'd'))).toBe('bd');
    expect(letters(toggle(one, 'b'))).toBe('');
  });

  it('takes a range from where it began, down or up', () => {
    expect(letters(extendTo(toggle(noSelection, 'b'), shown, 'd'))).toBe('bcd');
    expect(letters(extendTo(toggle(noSelection, 'd'), shown, 'b'))).toBe('bcd');
  });

  it('gives back what a longer range had taken, and keeps what was taken apart from it', () => {
    const apart = toggle(toggle(noSelection, 'a'), 'c');
    const long = extendTo(apart, shown, 'e');
    expect(letters(long)).toBe('acde');
    expect(letters(extendTo(long, shown, 'd'))).toBe('acd');
  });

  it('begins a range at its end where none began before, or where its beginning is no longer shown', () => {
    expect(letters(extendTo(noSelection, shown, 'c'))).toBe('c');
    expect(letters(extendTo(toggle(noSelection, 'gone'), shown, 'b'))).toBe('bgone');
  });

  it('takes all that is shown', () => {
    expect(letters(selectAll(shown))).toBe('abcde');
  });

  it('lets go of what is no longer shown, and is the same where all is', () => {
    const some = selectAll(['a', 'b', 'c']);
    expect(letters(keepShown(some, ['b', 'd']))).toBe('b');
    expect(keepShown(some, shown)).toBe(some);
  });
});
