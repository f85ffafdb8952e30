import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { requireCommand } from '../../../electron/core/platform/find-command.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { skipOn } from '../../support/skip-on.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const folder = sharedFolder('find-command-');
beforeAll(() => {
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'two', 'tool'), '#!/bin/sh\nexit 0\n');
  chmodSync(join(folder, 'two', 'tool'), 0o755);
  writeFileSync(join(folder, 'two', 'plain'), 'not a program');
  symlinkSync(join(folder, 'gone'), join(folder, 'one', 'dangling'));
});

const codeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );

describe('requireCommand', skipOn('win32', 'Windows has no mode bits'), () => {
  it('says the same of a missing command as the spawn does', async () => {
    const request = { command: 'no-such-command-here', args: [], env: { PATH: '/nowhere' } };
    const [looked, spawned] = await Promise.allSettled([requireCommand(request), spawnChild(request)]);
    const errorOf = (result: PromiseSettledResult<unknown>) =>
      result.status === 'rejected'
        ? { ...(result.reason as Error), message: String(result.reason) }
        : undefined;
    expect(errorOf(looked)).toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      remedy: expect.any(String) as string,
    });
    expect(errorOf(looked)).toEqual(errorOf(spawned));
  });

  it('never refuses what a spawn would find', async () => {
    const commands = ['tool', 'plain', 'dangling', 'missing', './two/tool', 'two/tool', '/bin/sh'];
    const folders = ['one', 'two', 'three'].map((name) => join(folder, name));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...commands, join(folder, 'two', 'tool'), join(folder, 'one', 'missing')),
        fc.uniqueArray(fc.constantFrom(...folders, '', '.'), { maxLength: 3 }),
        async (command, parts) => {
          const request = { command, args: [], env: { PATH: parts.join(':') }, cwd: folder };
          const looked = await codeOf(requireCommand(request));
          const spawned = await codeOf(spawnChild(request));
          if (looked !== undefined)
            expect([looked, spawned]).toEqual(['COMMAND_NOT_FOUND', 'COMMAND_NOT_FOUND']);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  it('leaves to the spawn what it cannot know', async () => {
    const missing = 'no-such-command-here';
    await requireCommand({ command: missing, env: {} });
    await requireCommand({ command: missing, env: { PATH: '/nowhere:' } });
    await requireCommand({ command: `./${missing}`, env: { PATH: '/nowhere' } });
  });
});
