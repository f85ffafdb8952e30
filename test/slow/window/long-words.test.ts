import { expect, it } from 'vitest';
import { looksLikeSnippet, mayBeServer, parseAssignments } from '../../../renderer/editor/server-draft.ts';
import type { RawEntry } from '../../../renderer/entry/raw-entry.ts';
import { shownText } from '../../../renderer/entry/shown-entry.ts';
import { describeOrigin } from '../../../renderer/format/server-origin.ts';
import { warningsOf } from '../../../shared/entry-warnings.ts';
import { previewOf } from '../../../renderer/import/entry-preview.tsx';
import { isShortMarkdown } from '../../../renderer/inspector/description.tsx';
import { toBlocks } from '../../../renderer/inspector/result-blocks.ts';
import { slowWords } from '../long-texts.ts';

/** The page has no Node, but the test that runs its parts is measured by it. */
declare const process: { readonly cpuUsage: () => { readonly user: number } };

const url = (rest: string): RawEntry => ({ url: `https://stock.example/${rest}` });
const ENTRIES: readonly (readonly [string, (word: string) => RawEntry])[] = [
  ['an argument', (word) => ({ command: 'run', args: [word] })],
  ['the value of an option', (word) => ({ command: 'run', args: ['--token', word] })],
  ['a script', (word) => ({ command: 'sh', args: ['-c', word] })],
  ['a command', (word) => ({ command: word })],
  ['a variable', (word) => ({ command: 'run', env: { [word]: word, PATH: word } })],
  ['a header', (word) => ({ ...url('mcp'), headers: { [word]: word } })],
  ['the path of an address', (word) => url(word)],
  ['the query of an address', (word) => url(`mcp?${word}=${word}`)],
];

/** What is done in one turn with a word in each place where it can stand. */
const TURNS: readonly (readonly [string, (word: string) => unknown])[] = [
  ...ENTRIES.flatMap(([place, entryOf]): [string, (word: string) => unknown][] => [
    [`${place}: the page with the configuration`, (word) => shownText(entryOf(word), false)],
    [`${place}: the preview`, (word) => previewOf(entryOf(word), false)],
    [`${place}: the warnings`, (word) => warningsOf(entryOf(word))],
  ]),
  ['the origin of a server', (word) => describeOrigin({ transport: 'stdio', target: `npx -y ${word}` })],
  ['the description of a tool', (word) => isShortMarkdown(word)],
  [
    'the result of a tool',
    (word) => toBlocks({ content: [{ type: 'image', mimeType: 'image/png', data: word }] }),
  ],
  ['a text that is pasted into a field', (word) => [looksLikeSnippet(word), mayBeServer(word)]],
  ['variables that are pasted', (word) => parseAssignments(word)],
];

it.each(TURNS)('takes a word of 64 KiB in one short turn: %s', (_, turn) => {
  turn('word');
  expect(slowWords(turn, () => process.cpuUsage().user / 1000)).toEqual([]);
});
