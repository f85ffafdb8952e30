import { afterAll, beforeAll, describe } from 'vitest';
import { testContainers } from '../../support/container-scenarios.ts';
import { startDockerStandIn } from '../../support/docker-stand-in.ts';
import { skipOn } from '../../support/skip-on.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

describe('a container of a stand-in for an engine', skipOn('win32', 'the stand-in is a script of sh'), () => {
  const folder = sharedFolder('engine-');
  let engine: Awaited<ReturnType<typeof startDockerStandIn>>;
  beforeAll(async () => (engine = await startDockerStandIn(folder)));
  afterAll(() => engine.end());
  testContainers({
    command: `${folder}/docker`,
    env: {},
    server: (...flags) => ['fixture', ...flags],
    limitMs: 20_000,
  });
});
