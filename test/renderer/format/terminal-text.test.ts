import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText } from '../../../renderer/format/plain-text.ts';
import { styledText } from '../../../renderer/format/terminal-text.ts';

const ESC = '\u001b';
const looks = (raw: string) => {
  const { text, marks = [] } = styledText(raw);
  return marks.map(({ start, end, ...look }) => ({ part: text.slice(start, end), ...look }));
};

describe('the colours of a line', () => {
  it.each([
    [`${ESC}[31mred${ESC}[0m`, { part: 'red', colour: 'red' }],
    [`${ESC}[91mred${ESC}[m`, { part: 'red', colour: 'red' }],
    [`${ESC}[2mquiet`, { part: 'quiet', colour: 'grey' }],
    [`${ESC}[1;44m INFO ${ESC}[0m`, { part: ' INFO ', colour: 'blue', isBadge: true, isBold: true }],
    [`${ESC}[38;5;208morange`, { part: 'orange', colour: 'yellow' }],
    [`${ESC}[38;5;244mgrey`, { part: 'grey', colour: 'grey' }],
    [`${ESC}[38;2;1;200;3mgreen`, { part: 'green', colour: 'green' }],
    [`${ESC}[38;2;250;20;230mpink`, { part: 'pink', colour: 'magenta' }],
  ])('of %j are told as hues of the theme', (raw, look) => expect(looks(raw)).toEqual([look]));

  it('are none for black and white, which are whatever the theme writes in', () => {
    expect(looks(`${ESC}[37mwhite ${ESC}[30mblack ${ESC}[38;2;255;255;255mwhite`)).toEqual([]);
  });

  it('leave the text as it is without them, whatever stands in it', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(
        `${ESC}[31m`,
        `${ESC}[0m`,
        `${ESC}[2K`,
        `${ESC}]8;;x\u0007`,
        `${ESC}[38;5;300m`,
        '\r',
        ESC,
        '[',
      ),
    );
    const property = fc.property(fc.array(part), (parts) => {
      const raw = parts.join('');
      const { text, marks = [] } = styledText(raw);
      expect(text).toBe(toPlainText(raw));
      let end = 0;
      for (const mark of marks) {
        expect(mark.start).toBeGreaterThanOrEqual(end);
        expect(mark.end).toBeGreaterThan(mark.start);
        end = mark.end;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    });
    fc.assert(property);
  });
});
