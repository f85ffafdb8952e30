import type { Clock, WallClock } from '../../../electron/core/clock.ts';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import { ServerOutput } from '../../../electron/core/journal/server-output.ts';
import { ProcessCustody } from '../../../electron/core/supervisor/custody/process-custody.ts';
import { LocalHost, type LocalHostDeps } from '../../../electron/core/supervisor/host/local-host.ts';
import { ObservedServers } from '../../../electron/core/supervisor/run/run-watch.ts';
import type { StdioRunDeps } from '../../../electron/core/supervisor/run/stdio-run.ts';
import { StartGate } from '../../../electron/core/supervisor/start/start-gate.ts';
import { readHere } from '../long-message.ts';

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

/** Dependencies of a stdio run on such a machine: of every server of it, whose marker is `m`. */
export const stdioRunDeps = (machine: LocalHostDeps, changes: Partial<StdioRunDeps> = {}): StdioRunDeps => ({
  clock: machine.clock,
  host: new LocalHost(machine),
  clientVersion: '0.0.0',
  currentTask: new CurrentTask(machine.clock),
  reader: readHere,
  surroundings: () => ({ parent: {}, home: '/', findProgram: async () => ({ file: '/bin/node' }) }),
  createMarker: () => 'm',
  ...changes,
});
