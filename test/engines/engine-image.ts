import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import type { EngineUnderTest } from '../support/container-scenarios.ts';

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
