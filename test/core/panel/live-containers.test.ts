import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { testContainers } from '../../support/container-scenarios.ts';
import { skipOn } from '../../support/skip-on.ts';

const CLIENT = fileURLToPath(new URL('../../fixtures/engine/docker.mjs', import.meta.url));

describe('a container of a stand-in for an engine', skipOn('win32', 'the stand-in is a script of sh'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const command = join(folder, 'docker');
  writeFileSync(
    command,
    `#!/bin/sh\nFAKE_ENGINE='${join(folder, 'books')}' exec '${process.execPath}' '${CLIENT}' "$@"\n`,
  );
  chmodSync(command, 0o755);
  mkdirSync(join(folder, 'books'));
  testContainers({
    command,
    env: {},
    server: (...flags) => {
      const { command: node, args } = fixtureServer(...flags);
      return ['image', node, ...args];
    },
    limitMs: 20_000,
  });
});
