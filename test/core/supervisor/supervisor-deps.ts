import type { Clock, WallClock } from '../../../electron/core/clock.ts';
import { ServerOutput } from '../../../electron/core/journal/server-output.ts';
import { ProcessCustody } from '../../../electron/core/supervisor/custody/process-custody.ts';
import { ObservedServers } from '../../../electron/core/supervisor/run/run-watch.ts';
import { StartGate } from '../../../electron/core/supervisor/start/start-gate.ts';

/** Dependencies of a supervisor that nobody listens to. The runs, and what a test records, come on top. */
export const supervisorDeps = (clock: Clock & WallClock) => ({
  clock,
  wallClock: clock,
  random: () => 0.5,
  learnt: new ObservedServers(),
  startGate: new StartGate({ clock, startConcurrency: 3 }),
  output: new ServerOutput({ wallClock: clock }),
  custody: new ProcessCustody(undefined, undefined),
  onChange: () => undefined,
  onState: () => undefined,
  logEvent: () => undefined,
  notice: () => undefined,
});
