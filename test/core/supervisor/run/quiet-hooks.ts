import type { RunHooks } from '../../../../electron/core/supervisor/run/run.ts';

/** Hooks of a run that nobody listens to. */
export function quietHooks(settings: RunHooks['settings']): RunHooks {
  return {
    settings,
    announce: () => Promise.resolve(() => undefined),
    onHosted: () => undefined,
    onStderr: () => undefined,
    stderrTail: () => '',
    onMalformed: () => undefined,
    onConnection: () => undefined,
    onCrashed: () => undefined,
  };
}
