import type { ProcessReading } from '../process-table.ts';
import type { WindowsProcessSource } from './kernel-processes.ts';
import { z } from 'zod';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock } from '../../clock.ts';
import { SerialQueue } from '../../serial-queue.ts';

/** Minimum ms between listings: each costs PowerShell and its service a few hundred milliseconds of CPU. */
const LEAST_INTERVAL_MS = 5000;

/** Processes listed by one long-running PowerShell, for systems where the kernel cannot be queried. */
export class PowerShellProcesses implements WindowsProcessSource {
  readonly leastIntervalMs = LEAST_INTERVAL_MS;
  readonly #helper: LineHelper;
  #questions = 0;

  /** Takes ownership of `helper`, which runs HELPER_SCRIPT: disposing this object also disposes `helper`. */
  constructor(helper: LineHelper) {
    this.#helper = helper;
  }

  async list(): Promise<readonly ProcessReading[]> {
    this.#questions += 1;
    const id = String(this.#questions);
    return parseReply(await this.#helper.ask(id), id);
  }

  dispose(): void {
    this.#helper.dispose();
  }
}

const replySchema = z.union([
  z.object({ id: z.string(), rows: z.array(z.string()) }),
  z.object({ id: z.string(), error: z.string() }),
]);

/** UserModeTime and KernelModeTime are in units of 100 ns. */
const TIME_UNITS_PER_MS = 10_000;

/**
 * Parses one reply of the helper. Skips malformed rows, the idle process and rows without a start time.
 * @throws the error reported by the helper, or an error for a line that is not a reply to question `id`.
 */
function parseReply(line: string, id: string): readonly ProcessReading[] {
  const reply = replySchema.parse(JSON.parse(line));
  if (reply.id !== id) throw new Error(`the process lister answered question ${reply.id}, expected ${id}`);
  if ('error' in reply) throw new Error(`the process lister failed: ${reply.error}`);
  return reply.rows.flatMap(parseRow);
}

/** Checks that the parent started first, because Windows reuses the pid of an ended parent for younger processes. */
export function canBeChild(parent: ProcessReading, child: ProcessReading): boolean {
  return BigInt(parent.startTime) <= BigInt(child.startTime);
}

function parseRow(row: string): readonly ProcessReading[] {
  const [pid, ppid, startTime = '', workingSet, privatePages, handles, user, kernel, written, ...name] =
    row.split('\t');
  const numbers = [pid, ppid, workingSet, privatePages, handles, user, kernel, written].map(toNumber);
  if (!/^\d+$/.test(startTime) || numbers.some(Number.isNaN) || numbers[0] === 0) return [];
  const [
    pidNumber = 0,
    ppidNumber = 0,
    rssBytes = 0,
    privateBytes = 0,
    openFiles = 0,
    userTime = 0,
    kernelTime = 0,
    writtenBytes = 0,
  ] = numbers;
  return [
    {
      pid: pidNumber,
      ppid: ppidNumber,
      startTime,
      command: name.join('\t'),
      isStopped: false,
      isHeld: false,
      cpuTimeMs: (userTime + kernelTime) / TIME_UNITS_PER_MS,
      reapedCpuTimeMs: 0,
      rssBytes,
      privateBytes,
      openFiles,
      writtenBytes,
    },
  ];
}

function toNumber(text: string | undefined): number {
  return text === undefined || text === '' ? Number.NaN : Number(text);
}

/** Columns of a row in order, separated by tabs. See Win32_Process in Microsoft's reference of CIM classes. */
const COLUMNS = [
  'ProcessId',
  'ParentProcessId',
  'CreationDate',
  'WorkingSetSize',
  'PrivatePageCount',
  'HandleCount',
  'UserModeTime',
  'KernelModeTime',
  'WriteTransferCount',
  'Name',
] as const;

/**
 * PowerShell script that answers every line on stdin with one line of JSON on stdout, `{ "id": <the line>, "rows": [<row>, …]
 * }` or `{ "id", "error" }`. It exits when its stdin closes. CreationDate is printed in ticks (100 ns) of UTC.
 */
export const HELPER_SCRIPT = `
$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false
$columns = '${COLUMNS.join("','")}'
while ($null -ne ($id = [Console]::In.ReadLine())) {
  try {
    $rows = @(Get-CimInstance -ClassName Win32_Process -Property $columns | ForEach-Object {
      $process = $_
      ($columns | ForEach-Object {
        $value = $process.$_
        if ($value -is [DateTime]) { $value.ToUniversalTime().Ticks } else { $value }
      }) -join "\`t"
    })
    $reply = @{ id = $id; rows = $rows }
  } catch {
    $reply = @{ id = $id; error = [string]$_ }
  }
  [Console]::Out.WriteLine((ConvertTo-Json -Compress -InputObject $reply))
}
`;

/** Arguments for powershell.exe. The script is encoded, so that it needs no quoting. */
export const HELPER_ARGS = [
  '-NoLogo',
  '-NoProfile',
  '-NonInteractive',
  '-EncodedCommand',
  Buffer.from(HELPER_SCRIPT, 'utf16le').toString('base64'),
];

/** A program that answers each line on stdin with one line on stdout. It runs from the first question until it is disposed of. */
export interface LineHelper {
  /**
   * Asks a question. Only one question may be unanswered at a time. @throws when the program fails or answers too late; the
   * next question then restarts the program
   */
  ask(question: string): Promise<string>;
  dispose(): void;
}

interface LineHelperOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly clock: Clock;
  readonly timeoutMs: number;
}

interface Running {
  readonly child: ChildProcess;
  /** Settles the unanswered question; undefined if there is none. */
  settle: ((answer: string | Error) => void) | undefined;
}

/** Runs a program that answers lines. The program exits when its stdin closes, so it cannot outlive the panel. */
export class ProcessLineHelper implements LineHelper {
  readonly #options: LineHelperOptions;
  readonly #questions = new SerialQueue();
  #running: Running | undefined;
  #isDisposed = false;

  constructor(options: LineHelperOptions) {
    this.#options = options;
  }

  ask(question: string): Promise<string> {
    return this.#questions.run(() => this.#askNow(question));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end(new Error('the helper was closed'));
  }

  #askNow(question: string): Promise<string> {
    if (this.#isDisposed) return Promise.reject(new Error('the helper is closed'));
    const running = (this.#running ??= this.#start());
    const { clock, timeoutMs, command } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = clock.setTimeout(
        () => this.#end(new Error(`${command} gave no answer in ${timeoutMs} ms`)),
        timeoutMs,
      );
      running.settle = (answer) => {
        running.settle = undefined;
        timer.dispose();
        if (typeof answer === 'string') resolve(answer);
        else reject(answer);
      };
      running.child.stdin?.write(`${question}\n`);
    });
  }

  #start(): Running {
    const { command, args } = this.#options;
    const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const running: Running = { child, settle: undefined };
    createInterface({ input: child.stdout }).on('line', (line) => running.settle?.(line));
    const onEnd = (cause: Error) => {
      if (this.#running === running) this.#running = undefined;
      running.settle?.(cause);
    };
    child.on('error', onEnd);
    child.on('exit', (code, signal) => onEnd(new Error(`${command} ended (${signal ?? code ?? 'unknown'})`)));
    // Ignores a failed write to a program that has just ended; 'exit' reports the end.
    child.stdin.on('error', () => undefined);
    return running;
  }

  #end(cause: Error): void {
    const running = this.#running;
    this.#running = undefined;
    running?.child.kill('SIGKILL');
    running?.settle?.(cause);
  }
}
