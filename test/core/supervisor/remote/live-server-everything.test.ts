import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endProcess, waitUntil } from '../../../fixtures/fixture-server.ts';
import { GRACES, launched, remoteConfig, STOPPED } from './remote-bench.ts';

const PROGRAM = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);

/** Starts the official server over HTTP; resolves with its port once it listens. */
async function everything(mode: 'streamableHttp' | 'sse'): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [PROGRAM, mode], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => endProcess(child.pid!));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitUntil(() => /listening on port|running on port/.test(said), {
    deadlineMs: 15_000,
    describe: `server-everything ${mode}: ${said}`,
  });
  return { child, port };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

describe('RemoteRun with the official test server', () => {
  it.each([
    ['streamableHttp', 'http', '/mcp'],
    ['sse', 'sse', '/sse'],
    ['sse', 'http', '/sse'],
  ] as const)('lists and calls over %s (entry of type %s)', async (mode, transport, path) => {
    const { child, port } = await everything(mode);
    const config = remoteConfig(`http://127.0.0.1:${port}${path}`, {}, { transport });
    const { run, crashed } = await launched(config);
    const { connection } = run;
    expect(connection?.serverInfo?.name).toContain('everything');
    await connection!.probe('ping');
    const { tools } = (await connection!.request('tools/list', {})) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('echo');
    const progress: number[] = [];
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } };
    await connection!.request('tools/call', long, { onProgress: (step) => progress.push(step.progress) });
    expect(progress).toEqual([1, 2]);
    expect(
      await connection!.request('tools/call', { name: 'echo', arguments: { message: 'hi' } }),
    ).toMatchObject({
      content: [{ type: 'text', text: 'Echo: hi' }],
    });

    await (await launched(config)).run.end(GRACES, STOPPED);

    const lost = connection!.request('tools/call', { ...long, arguments: { duration: 60, steps: 1 } });
    lost.catch(() => undefined);
    await connection!.probe('ping');
    await endProcess(child.pid!);
    await expect(lost).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect((await crashed).code).toBe('UNREACHABLE');
    await run.end(GRACES, STOPPED);
  });
});
