import type { ServerRunHooks } from '../../../../electron/core/supervisor/run/server-run.ts';

/** The hooks of a run that nobody listens to. */
export function quietHooks(settings: ServerRunHooks['settings']): ServerRunHooks {
  return {
    settings,
    onSpawned: () => undefined,
    onStderr: () => undefined,
    stderrTail: () => '',
    onNoise: () => undefined,
    onNotification: () => undefined,
    onAskedBack: () => undefined,
    onBeforeCall: () => undefined,
    onCrashed: () => undefined,
  };
}
