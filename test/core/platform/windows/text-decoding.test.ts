import { describe, expect, it } from 'vitest';
import { decodeIn } from '../../../../electron/core/platform/windows/text-decoding.ts';

describe('decodeIn', () => {
  it.each([
    [437, [0x81, 0x84, 0x94, 0x82, 0xe1], 'üäöéß'],
    [850, [0x81, 0x84, 0x94, 0xa2, 0xd4], 'üäöóÈ'],
    [852, [0x88, 0xab, 0xa5], 'łźą'],
    [737, [0x80, 0x98], 'Αα'],
    [857, [0x98, 0x9f], 'İş'],
    [855, [0xa0, 0xa1], 'аА'],
    [775, [0xd0, 0xd1], 'ąč'],
    [866, [0x8f, 0xe0], 'Пр'],
    [932, [0x83, 0x5c], 'ソ'],
    [936, [0xd6, 0xd0], '中'],
    [949, [0xb0, 0xa1], '가'],
    [950, [0xa4, 0xa4], '中'],
    [1252, [0xfc, 0x80], 'ü€'],
    [1251, [0xcf], 'П'],
    [99999, [0xfc], 'ü'],
  ])('reads the letters of code page %s', (codePage, bytes, text) => {
    expect(decodeIn(codePage, Buffer.from(bytes))).toBe(text);
  });

  it('leaves English letters alone, in every page', () => {
    const english = Buffer.from('The system cannot find the path.\r\n');
    for (const codePage of [437, 850, 852, 866, 932, 1252])
      expect(decodeIn(codePage, english)).toBe(english.toString());
  });
});
