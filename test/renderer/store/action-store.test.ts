import { describe, expect, it, vi } from 'vitest';
import { toReport } from '../../../renderer/control-panel.ts';
import { openQuestions } from '../open-answer.ts';
import { atTime } from '../at-time.ts';
import { createActionStore } from '../../../renderer/store/task.ts';

/** Commands that end when the test says so. */
function setUp() {
  const { asked, ask, answer, refuse } = openQuestions<string, void>();
  atTime(100);
  const actions = createActionStore({
    start: (server) => ask(`start ${server}`),
    stop: (server) => ask(`stop ${server}`),
    restart: (server) => ask(`restart ${server}`),
  });
  return { actions, asked, answer, refuse, status: () => actions.state.getState().byKey };
}

describe('ActionStore', () => {
  it('is pending at once and leaves no trace when it worked', async () => {
    const { actions, asked, answer, status } = setUp();
    const run = actions.run('start', 'a');
    expect([...status()]).toEqual([['a', { about: 'start', phase: 'pending', since: 100 }]]);
    expect(asked.map(({ question }) => question)).toEqual(['start a']);
    await answer(0, undefined);
    await run;
    expect(status().size).toBe(0);
  });

  it('keeps a failure with its code, message and remedy until dismissed', async () => {
    const { actions, refuse, status } = setUp();
    const run = actions.run('start', 'a');
    vi.setSystemTime(150);
    await refuse(0, { code: 'START_FAILED', message: 'exit 1', remedy: 'mend it' });
    await run;
    const error = { code: 'START_FAILED', message: 'exit 1', remedy: 'mend it' };
    expect([...status()]).toEqual([['a', { about: 'start', phase: 'failed', since: 150, error }]]);
    actions.dismiss('a');
    expect(status().size).toBe(0);
  });

  it('is silent about a superseded command', async () => {
    const { actions, refuse, status } = setUp();
    const run = actions.run('start', 'a');
    await refuse(0, { code: 'SUPERSEDED', message: 'later command' });
    await run;
    expect(status().size).toBe(0);
  });
});

describe('toReport', () => {
  it('makes something readable of any rejection', () => {
    expect(toReport({ code: 'CRASHED', message: 'x' })).toEqual({ code: 'CRASHED', message: 'x' });
    expect(toReport({ code: 'MADE_UP', message: 'x' }).code).toBe('PROTOCOL_ERROR');
    const known = { code: 'CRASHED', message: 'x', remedy: 'y', causeLines: ['z'] };
    expect(toReport(known)).toEqual(known);
    expect(toReport({ ...known, causeLines: [1] })).not.toHaveProperty('causeLines');
    const data = { phrase: 'ended', field: 'env' };
    expect(toReport({ ...known, data }).data).toEqual(data);
    expect(toReport({ ...known, data: { phrase: 1, other: 'x' } })).not.toHaveProperty('data');
    expect(toReport(new Error('boom'))).toEqual({ code: 'PROTOCOL_ERROR', message: 'boom' });
    expect(toReport('boom').message).toBe('boom');
    expect(toReport(undefined).message).toBe('undefined');
    expect(toReport({}).message).toBe('No message was given.');
  });
});
