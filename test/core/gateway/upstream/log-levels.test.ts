import { describe, expect, it } from 'vitest';
import { isLoggingLevel, LevelArbiter } from '../../../../electron/core/gateway/upstream/log-levels.ts';
import { FakeLink } from './one-link.ts';

describe('the log level of a place', () => {
  it('is the most verbose of what its clients want, and follows them down again', () => {
    const arbiter = new LevelArbiter();
    const link = new FakeLink();
    arbiter.attach(link);
    expect(link.levels).toEqual([]);
    arbiter.set('ana', 'warning');
    expect(link.levels).toEqual(['warning']);
    arbiter.set('ben', 'debug');
    expect(link.levels).toEqual(['debug']);
    arbiter.set('ana', 'error');
    expect(link.levels).toEqual(['debug']);
    arbiter.forget('ben');
    expect(link.levels).toEqual(['error']);
    arbiter.dispose();
    expect(link.levels).toEqual([]);
  });

  it('is never asked of a server that has no logs', () => {
    const arbiter = new LevelArbiter();
    const link = new FakeLink({ tools: {} });
    arbiter.attach(link);
    arbiter.set('ana', 'debug');
    expect(link.levels).toEqual([]);
  });

  it('gives each client its own part: another one’s wish for more is not its wish', () => {
    const arbiter = new LevelArbiter();
    arbiter.set('ana', 'debug');
    arbiter.set('ben', 'error');
    const passing = (session: string) =>
      ['debug', 'info', 'warning', 'error', 'emergency'].filter((level) => arbiter.passes(session, level));
    expect(passing('ana')).toEqual(['debug', 'info', 'warning', 'error', 'emergency']);
    expect(passing('ben')).toEqual(['error', 'emergency']);
    expect(passing('said nothing')).toEqual(['info', 'warning', 'error', 'emergency']);
    expect(['loud', undefined, 7].map((level) => arbiter.passes('ben', level))).toEqual([true, true, true]);
  });

  it('is one of the eight of the specification', () => {
    expect(['debug', 'emergency', 'trace', 'DEBUG', 3].map(isLoggingLevel)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
