import { expect, it } from 'vitest';
import type { ClientView } from '../../../shared/gateway.ts';
import { refusedWords } from '../../../renderer/format/client-words.ts';

const client = (refused?: ClientView['refused']): ClientView => ({
  id: '1',
  name: 'cursor',
  scopes: ['mcp'],
  createdAt: 0,
  calls: 0,
  errors: 0,
  sessions: [],
  perMinute: [],
  ...(refused && { refused }),
});
const since = new Date(2026, 0, 5, 10, 42).getTime();

it.each([
  [3, '3 times'],
  [1, 'once'],
])(
  'a client that goes on with its old token is named, with how often it was refused since when: %i',
  (count, words) => {
    expect(refusedWords(client({ count, since }))).toBe(
      `cursor was refused ${words} since 10:42: its token was renewed. Put the new token into its settings.`,
    );
  },
);

it('nothing is said of any other', () => expect(refusedWords(client())).toBeUndefined());
