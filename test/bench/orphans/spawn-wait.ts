import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import { readBootId } from '../../../electron/core/platform/boot-id.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { openTestPanel } from '../../core/panel/open-test-panel.ts';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { median } from '../harness/figures.ts';

/** From the command to start a server to the call of the system that spawns it, median over `rounds`, with a ledger kept. */
export async function medianSpawnWaitMs(rounds: number): Promise<number> {
  let spawning: Deferred<number> = createDeferred();
  const bootId = await readBootId();
  const opened = await openTestPanel(
    { tiny: { ...tinyServer(), panel: { autoStart: false } } },
    {
      bootId,
      spawner: (request) => {
        spawning.resolve(performance.now());
        return spawnChild(request);
      },
    },
  );
  const { panel } = opened;
  panel.start();
  const waits: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      spawning = createDeferred();
      const beganMs = performance.now();
      const started = panel.servers.start('tiny');
      waits.push((await spawning.promise) - beganMs);
      await started;
      await panel.servers.stop('tiny');
    }
  } finally {
    await opened.dispose();
  }
  // The first start waits until the panel may start servers.
  return median(waits.slice(1));
}
