import { describe, expect, it } from 'vitest';
import { toPlainText } from '../../../renderer/format/plain-text.ts';
import { showDirectionControls, withShownDirection } from '../../../renderer/format/text-direction.ts';
import { firstOpen, shownName, shownValue, toJsonRows } from '../../../renderer/inspector/json-rows.ts';
import { toBlocks } from '../../../renderer/inspector/result-blocks.ts';
import { toItems } from '../../../renderer/offer/offer-items.ts';
import { shownText } from '../../../renderer/entry/shown-entry.ts';
import { hasHiddenCharacters, showHiddenCharacters } from '../../../shared/hidden-characters.ts';

const CONTROLS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
const EVIL = 'evil\u202egnp.exe';
const SHOWN = 'evil‹U+202E›gnp.exe';
const hasControl = (value: unknown) => CONTROLS.some((control) => JSON.stringify(value).includes(control));

describe('controls of the writing direction', () => {
  it('are shown by their number, each of them', () => {
    expect(CONTROLS.map(showDirectionControls)).toEqual(
      ['202A', '202B', '202C', '202D', '202E', '2066', '2067', '2068', '2069'].map((code) => `‹U+${code}›`),
    );
  });

  it('are all that is touched: right-to-left text and its marks stay', () => {
    const text = 'שלום \u200f(عربي) é 漢字';
    expect(showDirectionControls(text)).toBe(text);
  });

  it('are shown in lines of output', () => {
    expect(toPlainText(EVIL)).toBe(SHOWN);
  });

  it('are found in keys and values at any depth, and what has none stays the same object', () => {
    const clean = { a: [1, null, { b: 'x' }] };
    const mixed = { clean, [EVIL]: [{ text: EVIL }], at: 1 };
    const shown = withShownDirection(mixed);
    expect(shown).toEqual({ clean, [SHOWN]: [{ text: SHOWN }], at: 1 });
    expect(shown.clean).toBe(clean);
    expect(withShownDirection(clean)).toBe(clean);
  });
});

describe('characters that cannot be seen', () => {
  it.each([
    ['zero width', '\u200b', '200B'],
    ['a mark of direction', '\u061c', '061C'],
    ['a tag', '\u{e0041}', 'E0041'],
    ['the end of a line', '\n', '000A'],
    ['a line separator', '\u2028', '2028'],
    ['a paragraph separator', '\u2029', '2029'],
    ['a private character', '\ue000', 'E000'],
    ['an unpaired half', '\ud800', 'D800'],
    ['a filler of Hangul', '\u3164', '3164'],
    ['a blank that does not break', '\u00a0', '00A0'],
    ['a blank of ideographs', '\u3000', '3000'],
    ['the bracket around such a number', '‹', '2039'],
  ])('are shown by their number: %s', (_, character, code) => {
    expect(showHiddenCharacters(`a${character}b`)).toBe(`a‹U+${code}›b`);
  });

  it('are not the plain blank, letters of any script, or symbols', () => {
    const text = 'a b שלום عربي é 漢字 → … ✓';
    expect(showHiddenCharacters(text)).toBe(text);
    expect(hasHiddenCharacters(`${text}\n\t`)).toBe(false);
    expect(hasHiddenCharacters('a\u200b')).toBe(true);
  });

  it('are shown in what a server runs, and stay in running text', () => {
    const text = 'a\u200db';
    expect(withShownDirection({ target: text, message: text })).toEqual({
      target: 'a‹U+200D›b',
      message: text,
    });
  });
});

describe('what a server offers', () => {
  it('is read with them shown, and called by its very name', () => {
    const inputSchema = {
      type: 'object',
      properties: { [EVIL]: { type: 'string', enum: [EVIL] }, b: { title: EVIL } },
    };
    const tools = [{ name: EVIL, title: `${EVIL} title`, inputSchema }];
    const [tool] = toItems({ tools, prompts: [], resources: [], resourceTemplates: [] });
    expect(tool).toMatchObject({ name: SHOWN, title: `${SHOWN} title` });
    const labels = JSON.stringify(tool?.form, (key, value: unknown) =>
      key === 'key' || key === 'value' ? undefined : value,
    );
    expect(labels).toContain(SHOWN);
    expect(hasControl(labels)).toBe(false);
    expect(tool?.toCall({ [EVIL]: EVIL })).toEqual({
      method: 'tools/call',
      params: { name: EVIL, arguments: { [EVIL]: EVIL } },
    });
  });

  it('answers with them shown, as text and as JSON', () => {
    const blocks = toBlocks({
      content: [
        { type: 'text', text: EVIL },
        { type: 'odd', value: EVIL },
        { type: 'resource', resource: { uri: EVIL, text: EVIL } },
      ],
      structuredContent: { [EVIL]: EVIL },
    });
    expect(blocks).toHaveLength(4);
    const shown = blocks.map((block) => (block.kind === 'json' ? rowsOf(block.value) : block));
    expect(hasControl(shown)).toBe(false);
  });
});

/** What the tree of a value shows. */
const rowsOf = (value: unknown) =>
  toJsonRows(value, { open: firstOpen(value), shown: new Map() }).map((row) => [
    shownName(row),
    shownValue(row),
  ]);

describe('an entry as it stands in the file', () => {
  it('is read with them shown', () => {
    expect(shownText({ command: EVIL }, true)).toContain(SHOWN);
    expect(shownText({ args: ['a\u200bb'] }, true)).toBe('{\n  "args": [\n    "a‹U+200B›b"\n  ]\n}');
  });
});
