import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import {
  STUBBORN,
  type ContainerEntry,
  type EngineUnderTest,
  type watchServer,
} from '../support/container-scenarios.ts';
import type { TestPanel } from '../core/panel/open-test-panel.ts';

/** Clients whose engines answer, by name, as scripts/test-engines.mjs has found. */
export const engines = (process.env['MCP_CONTROL_PANEL_ENGINES'] ?? '').split(' ').filter(Boolean);

/** Path of a client. The panel looks on the PATH of a login shell, which may lead to another one. */
export const clientOf = (name: string): string =>
  execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

/** Image of the fixture server; it stays, for the next time. */
export const IMAGE = 'mcp-control-panel-test:1';

/** Makes the image without a registry: Node of this machine, the libraries that it loads, and the fixture servers, where they are. */
export async function makeImage(command: string): Promise<void> {
  const { command: node, args } = fixtureServer();
  const libraries = execFileSync('ldd', [node], { encoding: 'utf8' }).match(/\/\S+(?= \(0x)/g) ?? [];
  const files = [node, dirname(args[0] ?? ''), ...libraries].map((path) => path.slice(1));
  const tar = spawn('tar', ['-chf', '-', '-C', '/', ...files], { stdio: ['ignore', 'pipe', 'ignore'] });
  const client = spawn(command, ['import', '-', IMAGE], { stdio: ['pipe', 'ignore', 'inherit'] });
  tar.stdout.pipe(client.stdin);
  const [code] = (await once(client, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} import ended with ${String(code)}`);
}

/** The engine of a client, whose containers run the fixture server. @param image name of the image, behind options that it needs */
export const engineOf = (command: string, limitMs: number, image = [IMAGE]): EngineUnderTest => ({
  ...{ command, env: {}, limitMs },
  server: (...flags) => {
    const { command: node, args } = fixtureServer(...flags);
    // What is written there is no matter of the network, which an engine of tests may not have.
    return ['--network', 'none', ...image, node, ...args];
  },
});

/** What a test has opened with one server, beside a container of somebody else. */
type OpenedBox = ReturnType<typeof watchServer> & {
  readonly anothers: readonly string[];
  readonly panel: TestPanel['panel'];
};

/** Tests for any place of a container: what memory it may use. @param options that the engine of the place needs besides */
export function testMemory(
  open: (entry: ContainerEntry) => Promise<OpenedBox>,
  listed: () => Promise<readonly string[]>,
  limit: { readonly timeout: number },
  options: readonly string[] = [],
): void {
  it('says that it ran out of memory, and how much it had', limit, async () => {
    const flags = ['--timers-from-ready', '--leak-memory-mib-per-s=100'];
    const { anothers, events, panel, shows } = await open({
      flags,
      options: ['--memory', '96m', ...options],
    });
    await panel.servers.start('box').catch(() => undefined);
    const ends = () => [...events('crashed'), ...events('start-failed')];
    await shows(() => ends().length > 0);
    const message = expect.stringContaining('ran out of memory: its container may use 96 MiB') as string;
    expect(ends()[0]?.detail).toMatchObject({ message });
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it('is ended by a limit of the panel on its own memory', limit, async () => {
    const limits = { maxMemoryMiB: 100, sustainedSamples: 2, onBreach: 'stop' };
    const flags = ['--leak-memory-mib-per-s=20', ...STUBBORN];
    const { anothers, events, panel, shows, view } = await open({ flags, panel: { limits } });
    await panel.servers.start('box');
    await shows(() => ['failed', 'stopped'].includes(view().state.kind));
    expect(events('limit-breached')).toHaveLength(1);
    const { value } = events('limit-breached')[0]!.detail as { value: number };
    expect(value).toBeGreaterThan(100 * 1024 * 1024);
    expect(await listed()).toEqual(anothers);
  });
}
