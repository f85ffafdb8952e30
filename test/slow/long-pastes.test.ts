import { beforeAll, expect, it } from 'vitest';
import { parseSnippet } from '../../electron/core/config/import/parse-snippet.ts';
import { slowWords } from './long-texts.ts';

/** Places of a pasted text in which a word may stand. */
const PLACES: readonly (readonly [string, (word: string) => string])[] = [
  ['the whole text', (word) => word],
  ['an argument', (word) => entry({ command: 'npx', args: ['-k', word] })],
  ['a command', (word) => entry({ command: word })],
  ['a variable', (word) => entry({ command: 'npx', env: { [word]: word } })],
  ['an address', (word) => entry({ url: `https://stock.example/${word}?${word}` })],
  ['a header', (word) => entry({ url: 'https://stock.example/', headers: { Authorization: word } })],
  ['a name', (word) => JSON.stringify({ mcpServers: { [word]: { command: 'npx' } } })],
  ['a line of a shell', (word) => `npx -y ${word}`],
  ['a command of a client', (word) => `claude mcp add stock -e A=${word} -- npx ${word}`],
  ['JSON in a command of a client', (word) => `claude mcp add-json stock '${word}`],
  ['an install link', (word) => `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${word}`],
  ['a table', (word) => `[mcp_servers.x]\nargs = [${word}`],
  ['a map', (word) => `mcpServers:\n  x:\n    command: ${word}`],
  ['a fence', (word) => `\`\`\`json\n${word}\n\`\`\``],
  ['the words of a fence', (word) => `\`\`\`${word}\nnpx\n\`\`\``],
  ['broken JSON', (word) => `{ "mcpServers": { "x": { "command": "npx", "args": [ ... ${word}`],
];
const entry = (value: object): string => JSON.stringify({ mcpServers: { stock: value } });

// The first reading loads and compiles.
beforeAll(() => PLACES.forEach(([, place]) => parseSnippet(place('word'))));

it.each(PLACES)('reads a word of 64 KiB in one short turn: %s', (_, place) => {
  expect(
    slowWords(
      (word) => parseSnippet(place(word)),
      () => process.cpuUsage().user / 1000,
    ),
  ).toEqual([]);
});
