import { spawn } from 'node:child_process';
import { deathPipeMode, deathPipeScript } from './death-pipe-script.ts';
import { withoutInheritance } from './inherited-descriptors.ts';
import { limitMark } from './limit-mark.ts';
import type { ProcessIdentity } from './process-table.ts';

/** A run as it is now. */
export interface DeathPipeEntry {
  readonly groupPid: number;
  /** Start time of the group's leader; undefined where it could not be read. */
  readonly startTime: string | undefined;
  readonly marker: string;
  /** Everything recorded, the leader too or not. */
  readonly members: readonly ProcessIdentity[];
}

/** The panel's last will: what it names is ended by a helper when the panel dies, however it dies. */
export interface DeathPipe {
  /** Takes over what is known of a run. Cheap: one short line is written when it differs from the one before. */
  readonly update: (entry: DeathPipeEntry) => void;
  /** Drops a run of which nothing is left. */
  readonly forget: (groupPid: number) => void;
  /** Ends the helper, and nothing else. Idempotent; bounded by the kernel alone. */
  readonly close: () => Promise<void>;
}

/** The helper process, as far as the pipe needs it. */
export interface DeathPipeWatcher {
  readonly pid: number | undefined;
  readonly write: (line: string) => void;
  /** Settles when the helper has ended, for whatever reason. */
  readonly exited: Promise<void>;
  readonly kill: () => void;
}

export interface DeathPipeDeps {
  readonly spawnWatcher: () => DeathPipeWatcher;
  /** Takes one sentence for people, when the panel's death would leave its servers behind until its next start. */
  readonly onProblem: (message: string) => void;
}

/** A helper that somebody ended is replaced this often. */
const MAX_REPLACEMENTS = 5;

export function startDeathPipe(deps: DeathPipeDeps): DeathPipe {
  const lines = new Map<number, string>();
  let isClosed = false;
  let replacements = 0;
  let watcher = spawnOne();

  function spawnOne(): DeathPipeWatcher {
    const spawned = deps.spawnWatcher();
    for (const line of lines.values()) spawned.write(line);
    void spawned.exited.then(replaceOne);
    return spawned;
  }

  function replaceOne(): void {
    if (isClosed) return;
    replacements += 1;
    if (replacements <= MAX_REPLACEMENTS) watcher = spawnOne();
    else
      deps.onProblem('The helper that ends the servers when the panel dies keeps ending itself; it is off.');
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
        // The helper has nothing to do any more, and may be stopped by a signal.
        watcher.kill();
      }
      return watcher.exited;
    },
  };
}

/** The helper of this system. Not for Windows, which has no sh. */
export function spawnDeathPipeWatcher(platform: NodeJS.Platform = process.platform): DeathPipeWatcher {
  const args = ['-c', deathPipeScript, 'mcp-control-panel-death-pipe', deathPipeMode(platform)];
  const child = withoutInheritance(platform, ([, , , ...closed]) =>
    spawn('/bin/sh', args, {
      // A session of its own: neither Ctrl-C in our terminal nor a signal to our group may end it before us.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', ...closed],
      cwd: '/',
      // Short, so that no marker and no secret of ours is in it; and `ps` writes its dates in one language.
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    }),
  );
  const stdin = child.stdin!;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // A broken pipe shows as the end of the helper.
  stdin.on('error', () => undefined);
  child.unref();
  (stdin as typeof stdin & { unref?: () => void }).unref?.();
  return {
    pid: child.pid,
    write: (line) => void stdin.write(line),
    exited,
    kill: () => {
      // Whoever waits for its end must not find the process ended for lack of anything to wait for.
      child.ref();
      child.kill('SIGKILL');
    },
  };
}

function lineOf({ groupPid, startTime, marker, members }: DeathPipeEntry): string {
  const leader = startTime === undefined ? [] : [{ pid: groupPid, startTime }];
  const all = new Set([...leader, ...members].map((member) => `${member.pid}:${oneWord(member.startTime)}`));
  return `+ ${groupPid} ${[oneWord(marker), limitMark(marker), ...all].join(' ')}\n`;
}

/** The helper splits at white space; `ps` gives the start as a date of several words. */
function oneWord(text: string): string {
  return text.trim().replace(/\s+/g, '_');
}
