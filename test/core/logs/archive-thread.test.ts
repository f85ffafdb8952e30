import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ArchiveThread } from '../../../electron/core/logs/archive-thread.ts';
import type { WorkerLike } from '../../../electron/core/worker-like.ts';
import type { ArchiveQuery } from '../../../electron/core/logs/log-archive.ts';
import { createFakeClock } from '../fake-clock.ts';
import { startLogsWorker } from '../panel/open-test-panel.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECRET = 'planted-before-it-was-known';
const QUERY: ArchiveQuery = {
  ...{ filter: {}, beside: undefined, lookFor: undefined, side: 'older', untilUs: undefined },
  ...{ maxLines: 10, maxScanned: 1000, maxCharacters: 1_000_000 },
};

let folder: string;
beforeEach(() => {
  folder = tempFolder('archive-');
  mkdirSync(join(folder, 'servers'));
  writeFileSync(join(folder, 'servers', 'one.log'), `2026-01-01T00:00:00.000Z #1 said ${SECRET}\n`);
});

function open() {
  const clock = createFakeClock();
  const workers: WorkerLike[] = [];
  let secrets: readonly string[] = [];
  const thread = new ArchiveThread({
    ...{ clock, folder },
    secrets: () => secrets,
    startWorker: (start) => {
      const worker = startLogsWorker(start);
      workers.push(worker);
      return worker;
    },
  });
  const text = async () => (await thread.slice(QUERY)).lines[0]?.line.text;
  return { clock, thread, workers, text, learn: (secret: string) => (secrets = [secret]) };
}

describe('the thread that reads logs', () => {
  it('blacks out what became known as a secret since it was written', async () => {
    const { thread, text, learn } = open();
    expect(await text()).toBe(`said ${SECRET}`);
    learn(SECRET);
    expect(await text()).toBe('said [redacted]');
    const { text: shown } = await thread.content({ text: `{"a":"${SECRET}"}`, leftOutBytes: 0 });
    expect(shown).toBe('{"a":"[redacted]"}');
    await thread.dispose();
  });

  it('ends when nobody asks for a minute, and begins again with the next question', async () => {
    const { clock, thread, workers, text } = open();
    await text();
    expect(clock.pending).toBe(1);
    await clock.advance(60_000);
    expect(clock.pending).toBe(0);
    expect(await text()).toContain('said');
    expect(workers).toHaveLength(2);
    await thread.dispose();
    expect(clock.pending).toBe(0);
  });

  it('rejects what is asked of a thread that ends, and answers again with a new one', async () => {
    const { thread, workers, text } = open();
    await text();
    // Held back, because a thread may answer while it is being ended.
    vi.spyOn(workers[0]!, 'postMessage').mockImplementation(() => undefined);
    const asked = expect(thread.slice(QUERY)).rejects.toThrow('has ended');
    await workers[0]!.terminate();
    await asked;
    expect(await text()).toContain('said');
    await thread.dispose();
    await expect(text()).rejects.toThrow('closed');
  });
});
