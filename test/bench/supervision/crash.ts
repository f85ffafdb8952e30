import type { LiveBench } from '../../core/supervisor/live-bench.ts';
import { tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { figure, median, type Figure } from '../harness/figures.ts';
import { ownStartMs } from '../harness/own-start.ts';
import { withLive } from './live.ts';

const ROUNDS = 20;
const BUDGET_MS = 100;
/** The policy restarts immediately and for ever. */
export const eagerPanel = {
  restart: { initialBackoffMs: 2, maxBackoffMs: 2, maxRestartAttempts: 1000, maxPerHour: 1000 },
};

/**
 * Time from kill -9 to the next handshake, without the delay that the policy chose and without the server's
 * own start.
 */
export const measureCrash = (): Promise<readonly Figure[]> =>
  withLive(
    () => tinyServer(),
    eagerPanel,
    async (bench) => {
      const crashes: number[] = [];
      const starts: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        starts.push(await ownStartMs(tinyServer()));
        crashes.push(await crashOnce(bench));
      }
      const crashMs = median(crashes) - median(starts);
      return [
        figure('crash → running again, without backoff and own start (median)', 'ms', crashMs, BUDGET_MS),
        figure('the own start of that server (median)', 'ms', median(starts)),
      ];
    },
  );

async function crashOnce({ supervisor, events }: LiveBench): Promise<number> {
  const seen = events.length;
  const find = (kind: string) => events.slice(seen).find((event) => event.kind === kind);
  const killedMs = performance.now();
  process.kill(supervisor.view().pid!, 'SIGKILL');
  const again = await waitUntil(() => find('restarted'), { deadlineMs: 10_000, describe: 'the restart' });
  return again!.atMs - killedMs - Number(find('restart-scheduled')!.detail['delayMs']);
}
