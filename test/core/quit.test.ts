import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../electron/core/deferred.ts';
import {
  installOrderlyQuit,
  QUIT_LIMIT_MS,
  quitOnSignals,
  SESSION_END_LIMIT_MS,
} from '../../electron/core/quit.ts';
import { createFakeClock } from './fake-clock.ts';

/** The part of Electron's app that quitting needs. */
class FakeApp extends EventEmitter {
  readonly exitCodes: (number | undefined)[] = [];
  preventedQuits = 0;

  exit(code?: number): void {
    this.exitCodes.push(code);
  }

  quit(): void {
    this.emit('before-quit', { preventDefault: () => (this.preventedQuits += 1) });
  }
}

function createQuit(release: () => Promise<void>) {
  const app = new FakeApp();
  const clock = createFakeClock();
  const notices: string[] = [];
  const notice = (line: string) => notices.push(line);
  const quitter = installOrderlyQuit({ app, clock, release, notice });
  return { app, clock, notices, quitter };
}

/** Runs everything that is already due. */
const settle = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('installOrderlyQuit', () => {
  it('exits with 0 once everything is released, and releases once however often it is asked', async () => {
    const released = createDeferred<void>();
    let releases = 0;
    const { app, notices } = createQuit(() => {
      releases += 1;
      return released.promise;
    });
    app.quit();
    app.quit();
    await settle();
    expect(app.exitCodes).toEqual([]);
    expect(app.preventedQuits).toBe(2);
    released.resolve();
    await settle();
    expect(app.exitCodes).toEqual([0]);
    expect(releases).toBe(1);
    expect(notices).toEqual([]);
  });

  it('exits all the same when something does not end in time, and says so', async () => {
    const { app, clock, notices } = createQuit(() => new Promise(() => undefined));
    app.quit();
    await settle();
    await clock.advance(QUIT_LIMIT_MS - 1);
    expect(app.exitCodes).toEqual([]);
    await clock.advance(1);
    await settle();
    expect(app.exitCodes).toEqual([0]);
    expect(notices[0]).toContain('20 s');
  });

  it('exits all the same when releasing fails, and names each cause', async () => {
    const causes = [new Error('first'), new Error('second')];
    const { app, notices } = createQuit(() => Promise.reject(new AggregateError(causes)));
    app.quit();
    await settle();
    expect(app.exitCodes).toEqual([0]);
    expect(notices).toEqual(['while quitting: first; second']);
  });
});

describe('a quit that may cost something', () => {
  it('waits for the answer, and goes on after a no', async () => {
    const { app, quitter } = createQuit(() => Promise.resolve());
    const answers = [createDeferred<boolean>(), createDeferred<boolean>()];
    let asked = 0;
    quitter.askFirst(() => answers[asked++]!.promise);
    app.quit();
    await settle();
    expect(app.exitCodes).toEqual([]);
    answers[0]!.resolve(false);
    await settle();
    expect(app.exitCodes).toEqual([]);
    app.quit();
    answers[1]!.resolve(true);
    await settle();
    expect(app.exitCodes).toEqual([0]);
    expect(app.preventedQuits).toBe(2);
  });

  it('is not asked about by a signal, not even while the question is open', async () => {
    const { app, quitter } = createQuit(() => Promise.resolve());
    let asked = 0;
    quitter.askFirst(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    app.quit();
    await settle();
    quitter.now();
    await settle();
    expect(app.exitCodes).toEqual([0]);
    expect(asked).toBe(1);
  });

  it('quits where the question cannot be asked, and says why', async () => {
    const { app, notices, quitter } = createQuit(() => Promise.resolve());
    quitter.askFirst(() => Promise.reject(new Error('no window')));
    app.quit();
    await settle();
    expect(app.exitCodes).toEqual([0]);
    expect(notices).toEqual(['quitting without a question: no window']);
  });
});

describe('the end of the session', () => {
  it('is not held up by the question, nor longer than the system waits', async () => {
    const { app, clock, notices, quitter } = createQuit(() => new Promise(() => undefined));
    quitter.askFirst(() => new Promise(() => undefined));
    app.quit();
    quitter.sessionEnds();
    app.quit();
    await settle();
    await clock.advance(SESSION_END_LIMIT_MS - 1);
    expect(app.exitCodes).toEqual([]);
    await clock.advance(1);
    expect(app.exitCodes).toEqual([0]);
    expect(notices).toEqual(['the session ends: quitting after 4 s']);
    expect(app.preventedQuits).toBe(2);
  });

  it('shortens a quit that is under way, and exits once', async () => {
    const released = createDeferred<void>();
    const { app, clock, quitter } = createQuit(() => released.promise);
    quitter.now();
    await settle();
    quitter.sessionEnds();
    await clock.advance(SESSION_END_LIMIT_MS);
    expect(app.exitCodes).toEqual([0]);
    released.resolve();
    await settle();
    expect(app.exitCodes).toEqual([0]);
  });

  it('exits at once where all is released in time, and says nothing of it', async () => {
    const { app, clock, notices, quitter } = createQuit(() => Promise.resolve());
    quitter.sessionEnds();
    await settle();
    expect(app.exitCodes).toEqual([0]);
    await clock.advance(SESSION_END_LIMIT_MS);
    expect([app.exitCodes, notices]).toEqual([[0], []]);
  });
});

describe('the beginning of a quit', () => {
  it('is told once, in the same turn, before anything is released', async () => {
    const order: string[] = [];
    const { quitter } = createQuit(async () => void order.push('released'));
    quitter.whenBegun(() => order.push('begun'));
    quitter.now();
    quitter.sessionEnds();
    expect(order).toEqual(['begun']);
    await settle();
    expect(order).toEqual(['begun', 'released']);
  });

  it.each<[string, (bench: ReturnType<typeof createQuit>) => void, 'quit' | 'end']>([
    ['a quit of a person', ({ app }) => app.quit(), 'quit'],
    ['a signal', ({ quitter }) => quitter.now(), 'end'],
    ['the end of the session', ({ quitter }) => quitter.sessionEnds(), 'end'],
    ['a quit that stops serving', ({ quitter }) => quitter.andStopServing(), 'end'],
  ])('tells %s apart', async (_who, act, way) => {
    const bench = createQuit(() => Promise.resolve());
    const ways: string[] = [];
    bench.quitter.whenBegun((how) => ways.push(how));
    act(bench);
    await settle();
    expect([ways, bench.app.exitCodes]).toEqual([[way], [0]]);
  });

  it('takes the way that a person asked for last, and only after a yes', async () => {
    const { app, quitter } = createQuit(() => Promise.resolve());
    const ways: string[] = [];
    const answer = createDeferred<boolean>();
    quitter.whenBegun((way) => ways.push(way));
    quitter.askFirst(() => answer.promise);
    app.quit();
    quitter.andStopServing();
    await settle();
    expect(ways).toEqual([]);
    answer.resolve(true);
    await settle();
    expect([ways, app.exitCodes]).toEqual([['end'], [0]]);
  });

  it('keeps nobody from quitting when its listener fails', async () => {
    const { app, notices, quitter } = createQuit(() => Promise.resolve());
    quitter.whenBegun(() => {
      throw new Error('no disk');
    });
    quitter.now();
    await settle();
    expect([app.exitCodes, notices]).toEqual([[0], ['while quitting: no disk']]);
  });
});

describe('a quit asked for by a key press', () => {
  it('releases nothing while the key press is still being handled', () => {
    let isReleased = false;
    const { app } = createQuit(async () => void (isReleased = true));
    app.quit();
    expect(isReleased).toBe(false);
  });
});

describe('quitOnSignals', () => {
  it('quits on INT, TERM and HUP, and no more after its undo', () => {
    const signals = new EventEmitter();
    let quits = 0;
    const undo = quitOnSignals({ quit: () => (quits += 1) }, signals);
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) signals.emit(name);
    expect(quits).toBe(3);
    undo();
    signals.emit('SIGTERM');
    expect(quits).toBe(3);
    expect(signals.eventNames()).toEqual([]);
  });
});
