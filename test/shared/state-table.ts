import type { StateKind } from '../../shared/server-states.ts';

export interface StateRow {
  readonly kind: StateKind;
  readonly restartAttempt: number;
  readonly word: string;
  readonly commands: readonly string[];
}

const row = (kind: StateKind, restartAttempt: number, word: string, ...commands: string[]): StateRow => ({
  kind,
  restartAttempt,
  word,
  commands,
});

/** Words and actions of window and tray in every state, after no automatic start and after one. */
export const stateTable: readonly StateRow[] = [
  row('stopped', 0, 'Stopped', 'Start', 'Restart'),
  row('stopped', 1, 'Stopped', 'Start', 'Restart'),
  row('starting', 0, 'Starting', 'Stop'),
  row('starting', 1, 'Restarting', 'Stop'),
  row('running', 0, 'Running', 'Stop', 'Restart'),
  row('running', 1, 'Running', 'Stop', 'Restart'),
  row('suspect', 0, 'Suspect', 'Stop', 'Restart'),
  row('suspect', 1, 'Suspect', 'Stop', 'Restart'),
  row('stalled', 0, 'Not responding', 'Stop', 'Restart'),
  row('stalled', 1, 'Not responding', 'Stop', 'Restart'),
  row('backoff', 0, 'Restarting', 'Start', 'Stop', 'Restart'),
  row('backoff', 1, 'Restarting', 'Start', 'Stop', 'Restart'),
  row('stopping', 0, 'Stopping'),
  row('stopping', 1, 'Stopping'),
  row('failed', 0, 'Failed', 'Start', 'Restart'),
  row('failed', 1, 'Failed', 'Start', 'Restart'),
  row('asleep', 0, 'Asleep', 'Start', 'Stop', 'Restart'),
  row('asleep', 1, 'Asleep', 'Start', 'Stop', 'Restart'),
];
