import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { spawnDeathPipeWatcher, startDeathPipe } from '../../../../electron/core/platform/death-pipe.ts';

/**
 * A panel in small: starts process trees, tells the death pipe of some of them, prints their pids as one line of JSON
 * and waits to be killed, or for a line on stdin to close the pipe. `argv[2]`: how the pipe tells processes apart.
 */
const platform = process.argv[2] === 'ps' ? 'darwin' : 'linux';
const MARKER_NAME = 'MCP_CONTROL_PANEL_RUN';
const STUBBORN = 'trap "" TERM HUP INT; ';

/** Runs a shell line in a group of its own. */
function start(line: string, marker: string): number {
  const env = { ...process.env, [MARKER_NAME]: marker };
  const child = spawn('/bin/sh', ['-c', line], { detached: true, stdio: 'ignore', env });
  child.unref();
  return child.pid!;
}

function startTime(pid: number): string {
  if (platform === 'linux') return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')[19]!;
  const ps = new Intl.DateTimeFormat('en', { weekday: 'short' });
  throw new Error(`unused ${String(ps)}`);
}
void startTime;
void STUBBORN;
void start;
void startDeathPipe;
void spawnDeathPipeWatcher;
