import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { killAll, processesOfTest, TEST_RUN_NAME } from '../e2e/support/processes.ts';

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

/** Where a program runs: a home of its own, and an environment with nothing of the user's in it. */
export interface OwnHome {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Ends every process that was started in it. */
  readonly endProcesses: () => void;
  /** Ends every process that was started in it, and removes it. */
  readonly end: () => void;
}

/** `files` by their paths below the home; `id` marks the processes. */
export function createHome(id: string, files: Readonly<Record<string, string>>): OwnHome {
  const home = mkdtempSync(join(tmpdir(), 'client-home-'));
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const env = {
    HOME: home,
    PATH: [dirname(process.execPath), ...SYSTEM_FOLDERS].join(delimiter),
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    [TEST_RUN_NAME]: id,
  };
  const endProcesses = () => killAll(processesOfTest(id));
  const end = () => {
    endProcesses();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return { cwd, env, endProcesses, end };
}
