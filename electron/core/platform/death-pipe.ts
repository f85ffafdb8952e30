import { deathPipeMode, deathPipeScript } from './death-pipe-script.ts';
import { spawnDetached, type DetachedProcess } from './detached-process.ts';
import { limitMark } from './limit-mark.ts';
import type { RunProcesses } from './hosted-run.ts';

interface DeathPipeEntry extends RunProcesses {
  readonly groupPid: number;
  /** Start time of the group's leader; undefined if it could not be read. */
  readonly startTime: string | undefined;
}

/** List of processes that a helper process ends if the panel dies, for whatever reason. */
export interface DeathPipe {
  /** Records the current state of a run. Cheap: writes one short line, and only when it differs from the last one. */
  readonly update: (entry: DeathPipeEntry) => void;
  readonly forget: (groupPid: number) => void;
  /** Ends the helper without ending any run. Idempotent. Resolves when the helper has exited. */
  readonly close: () => Promise<unknown>;
}

/** The members of the helper process that the pipe uses. */
export type DeathPipeWatcher = Pick<DetachedProcess, 'pid' | 'write' | 'ended' | 'kill'>;

interface DeathPipeDeps {
  readonly spawnWatcher: () => DeathPipeWatcher;
  /** Receives one sentence for users when no helper runs, so that servers would outlive a dead panel. */
  readonly onProblem: (message: string) => void;
}

const MAX_REPLACEMENTS = 5;

export function startDeathPipe(deps: DeathPipeDeps): DeathPipe {
  const lines = new Map<number, string>();
  let isClosed = false;
  let replacements = 0;
  let watcher = spawnOne();

  function spawnOne(): DeathPipeWatcher {
    const spawned = deps.spawnWatcher();
    for (const line of lines.values()) spawned.write(line);
    void spawned.ended.then(replaceOne);
    return spawned;
  }

  function replaceOne(): void {
    if (isClosed) return;
    replacements += 1;
    if (replacements <= MAX_REPLACEMENTS) watcher = spawnOne();
    else
      deps.onProblem(
        'The helper that ends the servers when the panel dies keeps exiting; it is switched off.',
      );
  }

  return {
    update(entry) {
      const line = lineOf(entry);
      if (isClosed || lines.get(entry.groupPid) === line) return;
      lines.set(entry.groupPid, line);
      watcher.write(line);
    },
    forget(groupPid) {
      if (lines.delete(groupPid)) watcher.write(`- ${groupPid}\n`);
    },
    close() {
      if (!isClosed) {
        isClosed = true;
        watcher.write('quit\n');
        // After `quit` the helper has nothing left to do, so a signal may end it even before it reads `quit`.
        watcher.kill();
      }
      return watcher.ended;
    },
  };
}

/** Starts the shell process that ends the servers if the panel dies. Not available on Windows, which has no sh. */
export function spawnDeathPipeWatcher(platform: NodeJS.Platform = process.platform): DeathPipeWatcher {
  const args = ['-c', deathPipeScript, 'mcp-control-panel-death-pipe', deathPipeMode(platform)];
  return spawnDetached('/bin/sh', args, {
    platform,
    cwd: '/',
    // The environment is minimal, so that it contains no marker and no secret. The locale fixes the date format of `ps`.
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
  });
}

function lineOf({ groupPid, startTime, marker, members, onDeath }: DeathPipeEntry): string {
  const leader = startTime === undefined ? [] : [{ pid: groupPid, startTime }];
  const all = new Set([...leader, ...members].map((member) => `${member.pid}:${oneWord(member.startTime)}`));
  // The helper reads line by line, so it would take the rest of a command with a line break for instructions. Such a command is
  // left out.
  const command = onDeath === undefined || onDeath.includes('\n') ? '' : `= ${groupPid} ${onDeath}\n`;
  return `+ ${groupPid} ${[oneWord(marker), limitMark(marker), ...all].join(' ')}\n${command}`;
}

/** Replaces spaces, because the helper splits at white space and `ps` prints the start time as a date of several words. */
function oneWord(text: string): string {
  return text.trim().replace(/\s+/g, '_');
}
