import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../electron/core/supervisor/diagnosis/diagnose.ts';

const allTails = readFileSync(new URL('stderr-tails.txt', import.meta.url), 'utf8')
  .replaceAll('␍', '\r')
  .replaceAll('␛', '\u001b')
  .split(/^=== /m)
  .slice(1)
  .map((entry) => {
    const form = /^(.*)\n(?:= fix: ([\w-]+)(?:: (.*))?\n)?(?:= cause: (.*)\n)?([^]*)$/;
    const [, name = '', fix, remedy, cause, text = ''] = form.exec(entry) ?? [];
    const line = (text.split('» ')[1] ?? text).trim().split('\n', 1)[0]?.trim();
    return { name, fix, remedy, cause: cause ?? line, tail: text.replace('» ', '') };
  });

describe('diagnose', () => {
  it.each(allTails)('finds the line that says why, behind log lines as well: $name', (known) => {
    const found = diagnose(known.tail);
    expect(found).toMatchObject({ cause: known.cause, isTelling: true });
    expect(found?.remedy?.fix.kind).toBe(known.fix);
    if (known.remedy !== undefined) expect(found?.remedy?.words).toBe(known.remedy);
    const log = Array.from({ length: 300 }, (_, at) => `2026-08-31 08:00:00 INFO request ${at} served\n`);
    expect(diagnose(log.join('') + known.tail)?.cause).toBe(known.cause);
  });

  it('shows it among a few lines of what stood around it, none of them noise', () => {
    for (const { tail } of allTails) {
      const { lines } = diagnose(tail)!;
      expect(lines.length).toBeGreaterThanOrEqual(1);
      expect(lines.length).toBeLessThanOrEqual(6);
      expect(lines.join('\n')).not.toMatch(/^Node\.js v|^\s+at |--help'|A complete log|^[{}]$/m);
    }
  });

  it.each([
    'Node.js v24.21.0\n',
    'npm notice\nnpm notice New minor version of npm available!\n',
    'npm warn deprecated glob@7.2.3: no longer supported\n',
    '(node:4021) ExperimentalWarning: SQLite is an experimental feature\n',
    'Killed\n',
    '\n \n',
    '',
  ])('finds nothing in %j', (tail) => expect(diagnose(tail)).toBeUndefined());

  it.each(['Weather server running on stdio\n', 'INFO: loaded 12 tools\n'])(
    'does not call it telling that %j was written last',
    (tail) => expect(diagnose(tail)?.isTelling).toBe(false),
  );

  // Three dots that a pattern can take in two ways are 2^n ways for n of them.
  it('reads a call with many dots between its parentheses', () => {
    expect(diagnose(`app.config(${'.'.repeat(90)} x\nError: no such table\n`)?.cause).toContain(
      'no such table',
    );
  });

  it('makes one short line of whatever is written', () => {
    const lines = [
      'Error: ',
      'x',
      ' at ',
      '(',
      '{',
      '}',
      '[cause]: ',
      'A_B ',
      'set ',
      '|',
      '+',
      '\n',
      '\r',
      '\t',
    ];
    const others = [
      'npm error ',
      'File "x", line 1',
      'Caused by: ',
      'level=error msg="',
      '/a.js:1',
      '\u001b[',
      ':',
    ];
    const pieces = fc.constantFrom(...lines, ...others, ...'^"\\╭│╰');
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 200 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const found = diagnose(text);
        if (found === undefined) return;
        expect(found.cause).toMatch(/^\S.{0,239}$/u);
        expect(found.lines.length).toBeLessThanOrEqual(6);
      }),
    );
  });
});
