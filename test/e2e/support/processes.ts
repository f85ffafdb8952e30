import { allPids, isAlive, readProc, treeOf } from '../../support/proc.ts';

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
  return allPids().flatMap((pid) => readMarked(pid, run));
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
  const environment = readProc(pid, 'environ').split('\0');
  if (!environment.includes(`${TEST_RUN_NAME}=${run}`) || !isAlive(pid)) return [];
  const command = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
  return [
    { pid, command, isServer: environment.some((entry) => entry.startsWith(`${SERVER_MARKER_NAME}=`)) },
  ];
}

/** Living processes below `ancestor`, found by their parents. Linux only. */
export function descendantsOf(ancestor: number): { readonly pid: number; readonly command: string }[] {
  return treeOf(ancestor)
    .slice(1)
    .filter(isAlive)
    .map((pid) => ({ pid, command: readProc(pid, 'cmdline') }));
}
