import { describe, expect, it, vi } from 'vitest';
import { asLong, asLongError } from '../long-message.ts';
import { createConnectionBench } from './connection-bench.ts';

const LIMITS = { timeoutMs: 60_000, maxTotalMs: 60_000 };
const body = { list: Array.from({ length: 50_000 }, (_, at) => at) };

describe('a connection to a server whose messages are long', () => {
  it('settles calls and probes, and tells noise, without parsing what nobody wants', async () => {
    const { connection, transport, unmatched } = await createConnectionBench(LIMITS);
    const heard: string[] = [];
    connection.onNotification(({ method, long }) => heard.push(`${method} ${long?.byteLength}`));
    const raw = connection.requestRaw('tools/call', { name: 'x' });
    const call = asLong({ jsonrpc: '2.0', id: transport.lastId, result: body });
    const probe = connection.probe('ping');
    const answers = [
      call,
      asLong({ jsonrpc: '2.0', id: transport.lastId, result: body }),
      asLong({ jsonrpc: '2.0', id: 999, result: body }),
      asLong({ jsonrpc: '2.0', method: 'notifications/message', params: body }),
    ];
    const parse = vi.spyOn(JSON, 'parse');
    for (const answer of answers) transport.onlongmessage?.(answer);
    expect(await raw).toEqual({ kind: 'long', message: call });
    await probe;
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(unmatched).toEqual([{ jsonrpc: '2.0', id: 999, result: {} }]);
    expect(heard).toEqual([`notifications/message ${answers[3]!.byteLength}`]);
    expect(connection.pendingRequests).toBe(0);
  });

  it('gives the whole result to whoever asks for it', async () => {
    const { connection, transport } = await createConnectionBench(LIMITS);
    const long = connection.request('tools/call', { name: 'x' });
    transport.onlongmessage?.(asLong({ jsonrpc: '2.0', id: transport.lastId, result: body }));
    expect(await long).toEqual(body);
  });

  it('rejects a call with the error of a long answer, and gives the owner of its requests all params', async () => {
    const { connection, transport } = await createConnectionBench(LIMITS);
    const refused = connection.requestRaw('tools/call', { name: 'x' });
    const error = { code: -5, message: 'no', data: body };
    transport.onlongmessage?.(await asLongError({ jsonrpc: '2.0', id: transport.lastId, error }));
    await expect(refused).rejects.toMatchObject({ code: 'SERVER_ERROR', data: { rpcCode: -5 } });
    const asked = new Promise((resolve) => {
      connection.onRequest(async ({ params }) => {
        resolve(params);
        return {};
      });
    });
    transport.onlongmessage?.(
      asLong({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: body }),
    );
    expect(await asked).toEqual(body);
  });
});
