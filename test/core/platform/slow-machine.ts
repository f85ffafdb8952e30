import { createDeferred } from '../../../electron/core/deferred.ts';
import {
  type LineHelper,
  PowerShellProcesses,
} from '../../../electron/core/platform/windows/powershell-processes.ts';
import type { ProcessTable } from '../../../electron/core/platform/process-table.ts';
import { Footprints } from '../../../electron/core/platform/ps/footprints.ts';
import { PsProcessTable, type RefineReadings } from '../../../electron/core/platform/ps-process-table.ts';
import type { ExitStatus } from '../../../electron/core/platform/spawner.ts';
import { WindowsProcessTable } from '../../../electron/core/platform/process-system.ts';
import { SerialQueue } from '../../../electron/core/serial-queue.ts';
import { delay } from '../../../electron/core/wait.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { FakeProcesses, type FakeProcess, openStreams } from '../supervisor/fake-processes.ts';

/** System whose looks are simulated: PowerShell, which answers one question at a time, or `ps`, which starts anew for each. */
export type ListingSystem = 'windows' | 'macos';

/** What one look takes: PowerShell's listing by CIM on a machine at work. */
export const LISTING_MS = 300;
/** From the end of its input to the end of a server. */
const LEAVING_MS = 50;

/** Machine on which looking takes time, and each server is a wrapper with the real server below it. */
export class SlowMachine extends FakeProcesses {
  readonly clock: FakeClock = createFakeClock();
  listings = 0;
  #runningListings = 0;
  #listingSinceMs = 0;
  #listingMs = 0;
  readonly #ends = new Map<number, (exit: ExitStatus) => void>();

  spawn(pid: number, isStubborn: boolean) {
    const ignoresTerm = isStubborn;
    this.add({ pid, ppid: 1, groupId: pid, ignoresTerm });
    this.add({ pid: pid + 1, ppid: pid, groupId: pid, ignoresTerm });
    const exited = createDeferred<ExitStatus>();
    this.#ends.set(pid, (exit) => exited.resolve(exit));
    const streams = openStreams();
    if (!isStubborn)
      streams.stdin.resume().once('end', () => this.clock.setTimeout(() => this.#leave(pid), LEAVING_MS));
    return { pid, ...streams, exited: exited.promise };
  }

  override end(pid: number): void {
    super.end(pid);
    this.#ends.get(pid)?.({ exitCode: 1 });
  }

  /** Time for which at least one listing has been running. */
  get listingMs(): number {
    return this.#listingMs + (this.#runningListings > 0 ? this.clock.now() - this.#listingSinceMs : 0);
  }

  async look(): Promise<readonly FakeProcess[]> {
    this.listings += 1;
    if (this.#runningListings === 0) this.#listingSinceMs = this.clock.now();
    this.#runningListings += 1;
    const seen = this.all;
    await delay(this.clock, LISTING_MS);
    if (this.#runningListings === 1) this.#listingMs = this.listingMs;
    this.#runningListings -= 1;
    return seen;
  }

  #leave(pid: number): void {
    this.end(pid + 1);
    this.end(pid);
  }
}

/** What lists processes on that system without native code. */
export function slowTable(system: ListingSystem, machine: SlowMachine): ProcessTable {
  return system === 'windows' ? windowsTable(machine) : psTable(machine);
}

/** The same as the panel has it: on macOS with the footprints that `top` tells, which takes as long as `ps`. */
export function slowPanelTable(system: ListingSystem, machine: SlowMachine): ProcessTable {
  if (system === 'windows') return windowsTable(machine);
  const run = async () => (await machine.look()).map(({ pid }) => `${pid} 12M`).join('\n');
  return psTable(machine, new Footprints({ run, clock: machine.clock }).of);
}

function windowsTable(machine: SlowMachine): ProcessTable {
  const questions = new SerialQueue();
  const helper: LineHelper = {
    ask: (id) => questions.run(async () => JSON.stringify({ id, rows: (await machine.look()).map(toRow) })),
    dispose: () => undefined,
  };
  return new WindowsProcessTable(new PowerShellProcesses(helper));
}

function toRow({ pid, ppid, startTime, command }: FakeProcess): string {
  return [pid, ppid, startTime.slice(1), 0, 0, 0, 0, 0, 0, command].join('\t');
}

function psTable(machine: SlowMachine, refine?: RefineReadings): ProcessTable {
  const run = async (_command: string, args: readonly string[]) => {
    const seen = await machine.look();
    const only = args.includes('-p') ? Number(args.at(-1)) : undefined;
    const lines = seen.filter(({ pid }) => only === undefined || pid === only);
    return lines.map(args.includes('-axwwE') ? ({ pid }) => `${pid} server` : toPsLine).join('\n');
  };
  return new PsProcessTable({ run, clock: machine.clock, ...(refine && { refine }) });
}

function toPsLine({ pid, ppid, groupId, startTime, command }: FakeProcess): string {
  const second = String(Number(startTime.slice(1)) % 60).padStart(2, '0');
  return `${pid} ${ppid} ${groupId} S Mon Sep  1 08:00:${second} 2025 100 0:01.00 ${command}`;
}
