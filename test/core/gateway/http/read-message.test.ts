import { expect, it } from 'vitest';
import { parseMessage } from '../../../../electron/core/gateway/http/body.ts';

const read = (id: unknown) =>
  parseMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })));

it.each([1.5, -0.25, 0, 'a'])('an id is any number or text: %s', (id) => {
  expect(read(id)).toMatchObject({ kind: 'message', message: { id } });
});

it.each([null, true, [], 2 ** 60])(
  'an id is nothing else, and no number that would come back as another: %s',
  (id) => {
    expect(read(id)).toMatchObject({ kind: 'refused', status: 400 });
  },
);
