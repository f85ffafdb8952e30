import { describe, expect, it } from 'vitest';
import { signalOf } from '../../../../electron/core/supervisor/diagnosis/end-words.ts';

describe('the exit code of a wrapper on Windows', () => {
  it.each([
    [129, 'SIGHUP'],
    [134, 'SIGABRT'],
    [135, 'SIGBUS'],
    [137, 'SIGKILL'],
    [143, 'SIGTERM'],
  ])('%i tells the signal of a container or of a shell of POSIX: %s', (exitCode, signal) => {
    expect(signalOf({ exitCode }, 'docker', ['run', 'x'], 'win32')).toBe(signal);
  });

  it.each([128, 150, 149, 255])(
    '%i tells no signal, whatever number Node gives its own on Windows',
    (exitCode) => {
      expect(signalOf({ exitCode }, 'docker', ['run', 'x'], 'win32')).toBeUndefined();
    },
  );
});
