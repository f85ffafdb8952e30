import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { createLiveBench } from '../core/supervisor/live-bench.ts';

const SERVER = fileURLToPath(new URL('../fixtures/servers/moody.mjs', import.meta.url));
/** Three failures, each after a pause of ten seconds and perhaps a deadline. */
const LIMIT_MS = 120_000;

/** A started server whose tool `ping_db` does what `becomes` says. */
async function started({ onTestFinished }: TestContext, onFail: 'notify' | 'restart') {
  const folder = mkdtempSync(join(tmpdir(), 'own-check-'));
  const modeFile = join(folder, 'mode');
  const becomes = (mode: string) => writeFileSync(modeFile, mode);
  becomes('ok');
  const check = { tool: 'ping_db', everyMs: 10_000, expect: 'database up', onFail };
  const bench = createLiveBench(
    (pidFile) => ({
      command: process.execPath,
      args: [SERVER, `--mode=${modeFile}`, `--pid-file=${pidFile}`],
    }),
    {
      panel: {
        health: { probeIntervalMs: 1000, stallThresholdMs: 3000, onStall: 'notify', check },
        calls: { timeoutMs: 10_000 },
        restart: { initialBackoffMs: 50 },
      },
    },
  );
  onTestFinished(async () => {
    await bench.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  await bench.supervisor.start();
  return { ...bench, becomes };
}

describe.concurrent('a real server with a person’s own check', { timeout: LIMIT_MS }, () => {
  it.for([
    ['fail', 'connection refused'],
    ['hang', 'no answer for 3 s'],
    ['lie', 'the answer lacks "database up"'],
    ['vanish', 'the server no longer offers this tool'],
  ])(
    'whose tool starts to %s is suspect, is not restarted, and is well again with it',
    async ([mode, why], test) => {
      const bench = await started(test, 'notify');
      const { supervisor, becomes } = bench;
      becomes(mode!);
      const { detail } = await bench.logs('suspect', LIMIT_MS);
      expect(detail).toMatchObject({ row: 10, words: `health check "ping_db" failed 3 times: ${why}` });
      expect(supervisor.view()).toMatchObject({
        generation: 1,
        state: { kind: 'suspect', reason: detail['words'] },
      });
      becomes('ok');
      expect((await bench.logs('recovered', LIMIT_MS)).detail).toMatchObject({ row: 10 });
      await bench.reaches('running');
      expect(supervisor.generation).toBe(1);
    },
  );

  it('is restarted for it where a person wants that, and not for its silence', async (test) => {
    const bench = await started(test, 'restart');
    const { supervisor, becomes } = bench;
    becomes('fail');
    expect((await bench.logs('stalled', LIMIT_MS)).detail).toMatchObject({ row: 10, isEnding: true });
    becomes('ok');
    await bench.logs('restarted', LIMIT_MS);
    await bench.reaches('running');
    expect(supervisor.generation).toBe(2);
  });
});
