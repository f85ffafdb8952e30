import { describe, expect, it } from 'vitest';
import { sectionInView } from '../../../renderer/settings/settings-sections.tsx';

describe('sectionInView', () => {
  const sections = [0, 200, 600, 900].map((offsetTop) => ({ offsetTop }));
  const at = (scrollTop: number) =>
    sectionInView({ scrollTop, clientHeight: 400, scrollHeight: 1200, offsetTop: 0 }, sections);

  it.each([
    [0, 0],
    [120, 0],
    [150, 1],
    [560, 2],
    [800, 3],
  ])('at %i pixels is the section %i', (scrollTop, index) => expect(at(scrollTop)).toBe(index));

  it('is the first where all sections fit', () => {
    expect(
      sectionInView({ scrollTop: 0, clientHeight: 1200, scrollHeight: 1200, offsetTop: 0 }, sections),
    ).toBe(0);
  });
});
