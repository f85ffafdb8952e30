import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../../electron/core/journal/journal.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { testConfig } from '../supervisor/supervisor-bench.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECRET = 'hunter2-hunter2-hunter2';

let folder: string;
beforeEach(() => {
  folder = tempFolder('journal-');
});

const open = (launchId: string) =>
  Journal.open({
    folder,
    clock: systemClock,
    wallClock: systemClock,
    launchId,
    onProblem: (problem) => expect.fail(problem),
  });

describe('Journal', () => {
  it('shows in the next launch what happened in this one, in order', async () => {
    const first = await open('aaaa');
    for (let count = 0; count < 600; count += 1)
      first.append('one', 'started', { stableAfterMs: 1, pid: count });
    await first.dispose();
    const second = await open('bbbb');
    second.append('one', 'stopped', {});
    expect(second.events).toHaveLength(500);
    expect(second.events.at(-2)?.detail).toEqual({ stableAfterMs: 1, pid: 599 });
    const ids = second.events.map((event) => event.id);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(500);
    await second.dispose();
  });

  it('keeps the secrets of the configuration out of events, output, shown texts and files', async () => {
    const journal = await open('aaaa');
    journal.setConfigs([testConfig({}, { args: ['--api-key', SECRET], env: { PLAIN: SECRET } })]);
    journal.append('one', 'crashed', {
      code: 'CRASHED',
      message: SECRET,
      stderrTail: `login with ${SECRET} failed`,
      calls: [{ method: SECRET }],
    });
    const output = journal.openOutput('one');
    output.begin(1);
    output.append(Buffer.from(`using ${SECRET}\nand half a line ${SECRET}`));
    const shown = JSON.stringify([
      journal.events,
      output.since(0),
      output.tail(),
      journal.redactText(`node x --api-key ${SECRET}`),
    ]);
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain('login with');
    await journal.dispose();
    const written =
      readFileSync(join(folder, 'events.jsonl'), 'utf8') +
      readFileSync(join(folder, 'servers/one.log'), 'utf8');
    expect(written).not.toContain(SECRET);
    expect(written).toContain('half a line');
  });
});
