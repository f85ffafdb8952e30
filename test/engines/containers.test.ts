import { execFileSync } from 'node:child_process';
import { beforeAll, describe } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { testContainers } from '../support/container-scenarios.ts';
import { IMAGE, makeImage } from './engine-image.ts';

/** Clients whose engines answer, by name, as scripts/test-engines.mjs has found. */
const engines = (process.env['MCP_CONTROL_PANEL_ENGINES'] ?? '').split(' ').filter((name) => name !== '');

describe.each(engines)('a container of %s', (name) => {
  // The panel looks on the PATH of a login shell, which may lead to another client.
  const command = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  beforeAll(() => makeImage(command), 120_000);
  testContainers({
    command,
    env: {},
    server: (...flags) => {
      const { command: node, args } = fixtureServer(...flags);
      // What is written there is no matter of the network, which an engine of tests may not have.
      return ['--network', 'none', IMAGE, node, ...args];
    },
    limitMs: 60_000,
  });
});
