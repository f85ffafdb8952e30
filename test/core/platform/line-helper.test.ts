import { afterEach, describe, expect, it } from 'vitest';
import { ProcessLineHelper } from '../../../electron/core/platform/windows/powershell-processes.ts';
import { isAlive } from '../../support/proc.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../fake-clock.ts';

/** Helper that answers with its pid and the line; `die` ends it, `hang` gets no answer. */
const SCRIPT = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'die') process.exit(3);
  if (line !== 'hang') console.log(process.pid + ' ' + line);
});`;

describe('ProcessLineHelper', () => {
  const clock = createFakeClock();
  let helper: ProcessLineHelper;
  const start = (command = process.execPath) => {
    helper = new ProcessLineHelper({ command, args: ['-e', SCRIPT], clock, timeoutMs: 5000 });
    return helper;
  };
  const pidOf = (answer: string) => Number(answer.split(' ')[0]);

  afterEach(() => {
    helper.dispose();
    expect(clock.pending).toBe(0);
  });

  it('answers questions in their order, from one process', async () => {
    start();
    const answers = await Promise.all(['a', 'b', 'c'].map((question) => helper.ask(question)));
    expect(answers.map((answer) => answer.split(' ')[1])).toEqual(['a', 'b', 'c']);
    expect(new Set(answers.map(pidOf)).size).toBe(1);
  });

  it('reports the end of the program, and starts it anew for the next question', async () => {
    start();
    const first = pidOf(await helper.ask('a'));
    await expect(helper.ask('die')).rejects.toThrow('ended (3)');
    expect(pidOf(await helper.ask('b'))).not.toBe(first);
  });

  it('ends a program that does not answer in time', async () => {
    start();
    const pid = pidOf(await helper.ask('a'));
    const hanging = helper.ask('hang');
    await eventually(() => clock.pending === 1);
    clock.tick(5000);
    await expect(hanging).rejects.toThrow('gave no answer in 5000 ms');
    await eventually(() => !isAlive(pid));
  });

  it('reports a program that cannot be started', async () => {
    await expect(start('/nonexistent/helper').ask('a')).rejects.toThrow('ENOENT');
  });

  it('ends the program and the open question when disposed, and starts nothing any more', async () => {
    start();
    const pid = pidOf(await helper.ask('a'));
    const hanging = helper.ask('hang');
    await eventually(() => clock.pending === 1);
    helper.dispose();
    await expect(hanging).rejects.toThrow('closed');
    await expect(helper.ask('b')).rejects.toThrow('closed');
    await eventually(() => !isAlive(pid));
  });
});
