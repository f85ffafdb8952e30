import { describe, expect, it } from 'vitest';
import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import { LoginPath, type LoginCapture } from '../../../electron/core/platform/login-path.ts';
import { createFakeClock } from '../fake-clock.ts';

function create() {
  const clock = createFakeClock();
  const captures: Deferred<LoginCapture>[] = [];
  const signals: AbortSignal[] = [];
  const loginPath = new LoginPath({
    clock,
    capture: (signal) => {
      const capture = createDeferred<LoginCapture>();
      captures.push(capture);
      signals.push(signal);
      return capture.promise;
    },
  });
  return { clock, captures, signals, loginPath };
}

const fromShell = (path: string): LoginCapture => ({ path, source: 'shell' });

describe('LoginPath', () => {
  it('asks once for all who want it', async () => {
    const { captures, loginPath } = create();
    const both = [loginPath.ensure(), loginPath.ensure(), loginPath.recapture()];
    expect(loginPath.current).toBeUndefined();
    captures[0]!.resolve(fromShell('/a'));
    await Promise.all(both);
    await loginPath.ensure();
    expect(loginPath.current?.path).toBe('/a');
    expect(captures).toHaveLength(1);
  });

  it('asks again on demand, at most every 30 s', async () => {
    const { captures, clock, loginPath } = create();
    const first = loginPath.ensure();
    captures[0]!.resolve(fromShell('/a'));
    await first;
    clock.tick(29_999);
    expect(await loginPath.recapture()).toEqual(fromShell('/a'));
    expect(captures).toHaveLength(1);
    clock.tick(1);
    const again = [loginPath.recapture(), loginPath.recapture()];
    expect(captures).toHaveLength(2);
    captures[1]!.resolve(fromShell('/b'));
    await Promise.all(again);
    expect(loginPath.current?.path).toBe('/b');
  });

  it('keeps what the shell said when it fails later, and prefers it to a fallback', async () => {
    const { captures, clock, loginPath } = create();
    const outcomes: LoginCapture[] = [
      { path: '/known', source: 'fallback', problem: 'slow' },
      fromShell('/a'),
      { path: '/known', source: 'fallback', problem: 'slow' },
    ];
    const paths: (string | undefined)[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const capture = loginPath.recapture();
      captures[index]!.resolve(outcome);
      await capture;
      paths.push(loginPath.current?.path);
      clock.tick(30_000);
    }
    expect(paths).toEqual(['/known', '/a', '/a']);
  });

  it('calls a capture off when disposed, and starts none afterwards', async () => {
    const { captures, signals, clock, loginPath } = create();
    const first = loginPath.ensure();
    loginPath.dispose();
    expect(signals[0]?.aborted).toBe(true);
    captures[0]!.resolve({ source: 'none', problem: 'aborted' });
    await first;
    clock.tick(60_000);
    await loginPath.recapture();
    expect(captures).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('asks nothing before something is missing where it is lazy, and keeps what was told over a failure', async () => {
    const clock = createFakeClock();
    const told: LoginCapture[] = [
      { path: 'C:\\nodejs', source: 'registry' },
      { source: 'none', problem: 'reg.exe failed' },
    ];
    let captures = 0;
    const capture = () => Promise.resolve(told[captures++]!);
    const loginPath = new LoginPath({ clock, capture, isLazy: true, recaptureMs: 3000 });
    expect([await loginPath.ensure(), captures]).toEqual([{ source: 'none' }, 0]);
    expect(await loginPath.recapture()).toEqual(told[0]);
    clock.tick(2999);
    expect([await loginPath.recapture(), captures]).toEqual([told[0], 1]);
    clock.tick(1);
    expect([await loginPath.recapture(), captures]).toEqual([told[0], 2]);
    expect(loginPath.current).toEqual(told[0]);
  });
});
