import { readdirSync, readFileSync } from 'node:fs';

/** Variable that marks every process of one test; unlike the panel's own names, servers inherit it. */
export const TEST_RUN_NAME = 'E2E_TEST_RUN';
/** Variable by which the panel marks the processes of a server. */
const SERVER_MARKER_NAME = 'MCP_CONTROL_PANEL_RUN';

export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
  /** Whether the process is of a server, not of Electron. */
  readonly isServer: boolean;
}

/** Living processes of one test, found by their environment, whoever is their parent by now. Linux only. */
export function processesOfTest(run: string): MarkedProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readMarked(Number(name), run));
}

/** Whether the process runs. A zombie, which only waits to be collected by its parent, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !readText(`/proc/${pid}/stat`).includes(') Z');
}

/** Kills what is left of a test, one by one and by id. */
export function killAll(processes: readonly MarkedProcess[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      continue; // The process ended by itself meanwhile.
    }
  }
}

function readMarked(pid: number, run: string): MarkedProcess[] {
  const environment = readText(`/proc/${pid}/environ`).split('\0');
  if (!environment.includes(`${TEST_RUN_NAME}=${run}`) || !isAlive(pid)) return [];
  const command = readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return [
    { pid, command, isServer: environment.some((entry) => entry.startsWith(`${SERVER_MARKER_NAME}=`)) },
  ];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // The process is gone, or another account's.
  }
}

/** Living processes below `ancestor`, found by their parents. Linux only. */
export function descendantsOf(ancestor: number): { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== ancestor && isBelow(pid, ancestor) && isAlive(pid))
    .map((pid) => ({ pid, command: readText(`/proc/${pid}/cmdline`) }));
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let current = pid; current > 1; current = parentOf(current)) if (current === ancestor) return true;
  return false;
}

function parentOf(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`);
  // The name before it is in parentheses and may hold anything.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}
