import { describe, expect, it } from 'vitest';
import type { TrafficMessage } from '../../../../electron/core/mcp/peer-transport.ts';
import { over } from './remote-bench.ts';
import { jsonBackend } from './test-server.ts';

const LONG = 'y'.repeat(100 * 1024);

const textOf = ({ content = '' }: TrafficMessage) =>
  typeof content === 'string' ? content : Buffer.concat(content).toString();

describe('what passes over the connection to a remote server', () => {
  it('is told with its text both ways, a long answer as its bytes, and on whose behalf it was asked', async () => {
    const { bench } = await over(
      jsonBackend((_request, response, body) => {
        const { id, params } = JSON.parse(body) as { id: number; params?: { name?: string } };
        const text = params?.name === 'long' ? LONG : 'short';
        const json = JSON.stringify({ jsonrpc: '2.0', id, result: { text } });
        response.writeHead(200, { 'content-type': 'application/json' }).end(json);
      }),
    );
    const connection = bench.run.connection!;
    const passed: TrafficMessage[] = [];
    const undo = connection.onPassed((message) => passed.push(message));
    await connection.request('tools/call', { name: 'brief' }, { client: 'Editor' });
    await connection.requestRaw('tools/call', { name: 'long' }, { isOwnQuestion: true });
    undo();
    await connection.probe('ping');
    expect(passed.map(({ direction, asker }) => [direction, asker])).toEqual([
      ['to-server', { client: 'Editor', isOwn: false }],
      ['from-server', undefined],
      ['to-server', { client: undefined, isOwn: true }],
      ['from-server', undefined],
    ]);
    const [asked, answered, , long] = passed;
    expect(JSON.parse(textOf(asked!))).toMatchObject({ method: 'tools/call', params: { name: 'brief' } });
    expect(JSON.parse(textOf(answered!))).toMatchObject({ result: { text: 'short' } });
    expect(typeof long!.content).toBe('object');
    expect(JSON.parse(textOf(long!))).toMatchObject({ result: { text: LONG } });
  });
});
