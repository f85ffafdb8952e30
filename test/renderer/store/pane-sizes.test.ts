import { expect, it } from 'vitest';
import { boundSizes, keepPaneSizes, readPaneSizes, usualSizes } from '../../../renderer/store/pane-sizes.ts';

it('keeps the sizes of the panes, and takes none with which a pane could not be used', () => {
  let kept: string | null = null;
  const storage = { getItem: () => kept, setItem: (_key: string, text: string) => void (kept = text) };
  expect(readPaneSizes(storage)).toEqual(usualSizes);
  keepPaneSizes({ listPx: 300, formPercent: 40 }, storage);
  expect(readPaneSizes(storage)).toEqual({ listPx: 300, formPercent: 40 });
  for (const text of ['{', 'null', '{"listPx":"wide","formPercent":null}']) {
    kept = text;
    expect(readPaneSizes(storage)).toEqual(usualSizes);
  }
  expect(boundSizes({ listPx: 5, formPercent: 99 })).toEqual({ listPx: 160, formPercent: 85 });
});
