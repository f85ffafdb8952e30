import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import type { TestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';

const SOON_MS = 10_000;

/** A program between the panel and itself, which no look at the configuration sees. */
async function forwarder(to: () => string, token: string): Promise<string> {
  const server: Server = createServer((from, answer) => {
    const { port, pathname } = new URL(to());
    const headers = { ...from.headers, host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
    const onwards = request(
      { port, path: pathname, method: from.method, headers },
      (back: IncomingMessage) => {
        answer.writeHead(back.statusCode ?? 502, back.headers);
        answer.flushHeaders();
        back.pipe(answer);
      },
    );
    onwards.on('error', () => answer.destroy());
    answer.on('close', () => onwards.destroy());
    from.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function ringOf(names: readonly string[]): Promise<TestPanel> {
  const test = await panelOfTest({});
  const { panel } = test;
  panel.start();
  await waitUntil(() => panel.gateway.status().port !== 0, { deadlineMs: SOON_MS, describe: 'it listens' });
  const { token } = await panel.gateway.createClient({ name: 'itself' });
  const address = (name: string) => `${panel.gateway.status().url}/servers/${name}/mcp`;
  for (const [at, name] of names.entries()) {
    const url = await forwarder(() => address(names[(at + 1) % names.length]!), token);
    await panel.entries.put({ name, url, panel: { autoStart: false, restart: { enabled: false } } });
  }
  for (const name of names) panel.servers.start(name).catch(() => undefined);
  return test;
}

const serverOf = ({ panel }: TestPanel, name: string) =>
  panel.getSnapshot().servers.find((server) => server.name === name);

it.each([[['one']], [['one', 'two']], [['one', 'two', 'three']]])(
  'servers that lead back to themselves through other programs are refused at once, in words: %j',
  async (names) => {
    const ring = await ringOf(names);
    const areOver = () => names.every((name) => serverOf(ring, name)?.state.kind === 'failed');
    await waitUntil(areOver, { deadlineMs: SOON_MS, describe: 'all of them were refused' });
    const errors = names.map((name) => serverOf(ring, name)?.lastError?.message ?? '');
    const rings = names.map((_, at) => [...names.slice(at), ...names.slice(0, at), names[at]].join(' → '));
    for (const error of errors) expect(rings.some((one) => error.includes(one))).toBe(true);
    expect(errors[0]).toContain('waits for itself');
  },
  30_000,
);

it('a server put back in the place of one that waited for itself runs soon', async () => {
  const ring = await ringOf(['one']);
  await ring.panel.entries.put({ name: 'one', ...tinyServer() });
  await waitUntil(() => serverOf(ring, 'one')?.state.kind === 'running', {
    deadlineMs: SOON_MS,
    describe: 'the right server runs',
  });
}, 30_000);
