import { expect, it } from 'vitest';
import { clientSnippet } from '../../renderer/clients/client-snippet.ts';
import { changedKeys, shownText } from '../../renderer/entry/shown-entry.ts';
import { changesBetween } from '../../renderer/entry/entry-changes.ts';
import { toForm } from '../../renderer/forms/schema-form.ts';
import { describeOrigin } from '../../renderer/format/server-origin.ts';
import { warningsOf } from '../../shared/entry-warnings.ts';
import { previewOf } from '../../renderer/import/entry-preview.tsx';
import { asForm, readInput } from '../../renderer/inspector/item-form.tsx';
import { toBlocks } from '../../renderer/inspector/result-blocks.ts';
import { HistoryStore } from '../../renderer/store/history-store.ts';

const PLAIN = 'stockroom';
const NAMES = Object.getOwnPropertyNames(Object.prototype);
const named = (name: string, value: unknown) => Object.fromEntries([[name, value]]);
const source = { url: 'http://127.0.0.1:1', token: 't', system: 'linux' } as const;
const sample = { at: 1, memoryBytes: 1, cpuPercent: 1, processCount: 1 };

/** Places where a name from elsewhere can stand, each with what the window makes of it. */
const PLACES: readonly (readonly [string, (name: string) => unknown])[] = [
  ['a server for a client', (name) => clientSnippet('cursor', { ...source, servers: [name] })],
  [
    'a server with samples',
    (name) => {
      const store = new HistoryStore(() => Promise.resolve([]), Date.now);
      store.append([{ name, sample }]);
      return [store.since(name, 0), store.latestAt(name)];
    },
  ],
  ['the package of a server', (name) => describeOrigin({ transport: 'stdio', target: `npx -y ${name}` })],
  [
    'a variable',
    (name) => [shownText({ env: named(name, 'a') }, false), previewOf({ env: named(name, 'a') }, false)],
  ],
  ['a variable that differs', (name) => changesBetween({ env: {} }, { env: named(name, 'a') }, true)],
  ['a variable of a warning', (name) => warningsOf({ command: 'run', env: named(name, 'a') })],
  [
    'a header',
    (name) => [
      shownText({ headers: named(name, 'a') }, false),
      changesBetween({ headers: {} }, { headers: named(name, 'a') }, false),
    ],
  ],
  [
    'a field of an entry',
    (name) => [changedKeys({}, named(name, 1)), changesBetween({}, named(name, 1), false)],
  ],
  [
    'an argument of a tool',
    (name) => {
      const form = toForm({ type: 'object', properties: named(name, { type: 'string' }), required: [name] });
      const input = asForm(form, named(name, 'a'));
      return [form, input && readInput(form, input)];
    },
  ],
  [
    'a field of a result',
    (name) => toBlocks({ structuredContent: named(name, 1), content: [named(name, 1)] }),
  ],
];

it.each(PLACES)('shows a name that every object has like any other: %s', (_, show) => {
  const plain = JSON.stringify(show(PLAIN));
  for (const name of NAMES) expect(JSON.stringify(show(name)).replaceAll(name, PLAIN)).toBe(plain);
});
