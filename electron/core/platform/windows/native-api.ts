/** Handle of a Windows object, as the kernel returns it. */
export type Handle = bigint;

/** Outcome of a system call that fills a buffer: NTSTATUS, and the bytes that were written or would have been needed. */
interface QueryResult {
  readonly status: number;
  readonly bytes: number;
}

/** Windows functions that Node lacks. Each is one system call that takes microseconds, unless its comment says otherwise. */
export interface NativeApi {
  /** Calls NtQuerySystemInformation, which takes milliseconds. */
  querySystem(informationClass: number, buffer: Buffer): QueryResult;
  /** Calls NtQueryInformationProcess. */
  queryProcess(process: Handle, informationClass: number, buffer: Buffer): QueryResult;
  /** Returns the memory address of `buffer`, because structures of the kernel contain pointers into themselves. */
  addressOf(buffer: Buffer): bigint;
  /** Calls OpenProcess. Returns the error code of the system if it returns no handle. */
  openProcess(access: number, pid: number): Handle | { readonly errorCode: number };
  /** Start time of a process in FILETIME units (100 ns since 1601). Undefined if the system does not report it. */
  startTimeOf(process: Handle): bigint | undefined;
  /** Returns whether the process of a handle has ended; a handle outlives its process. */
  hasEnded(process: Handle): boolean;
  close(handle: Handle): void;
  createJob(): Handle | undefined;
  setJobLimits(job: Handle, information: Buffer): boolean;
  setJobCpuRate(job: Handle, information: Buffer): boolean;
  assignToJob(job: Handle, process: Handle): boolean;
  /** Calls QueryInformationJobObject. Returns false if `buffer` is too small; it then contains as many pids as fit. */
  listJob(job: Handle, buffer: Buffer): boolean;
  terminateJob(job: Handle, exitCode: number): boolean;
}

const EXTENDED_LIMIT_INFORMATION = 9;
const BASIC_PROCESS_ID_LIST = 3;
const CPU_RATE_CONTROL_INFORMATION = 15;
const FILETIME_BYTES = 8;

/** Loads the native library of these calls. @throws if it is missing, or not compatible with the system */
export async function loadNativeApi(): Promise<NativeApi> {
  const { load, address } = await import('koffi');
  const kernel32 = load('kernel32.dll');
  const ntdll = load('ntdll.dll');
  const declare = <F>(library: ReturnType<typeof load>, prototype: string) => library.func(prototype) as F;
  const kernel = <F>(prototype: string) => declare<F>(kernel32, prototype);
  const nt = <F>(prototype: string) => declare<F>(ntdll, prototype);

  const querySystem = nt<(kind: number, buffer: Buffer, bytes: number, out: number[]) => number>(
    'int32_t NtQuerySystemInformation(int32_t kind, uint8_t *buffer, uint32_t bytes, _Out_ uint32_t *out)',
  );
  const queryProcess = nt<(h: Handle, kind: number, buffer: Buffer, bytes: number, out: number[]) => number>(
    'int32_t NtQueryInformationProcess(void *h, int32_t kind, uint8_t *buffer, uint32_t bytes, _Out_ uint32_t *out)',
  );
  const open = kernel<(access: number, inherits: boolean, pid: number) => Handle | null>(
    'void *OpenProcess(uint32_t access, bool inherits, uint32_t pid)',
  );
  const lastError = kernel<() => number>('uint32_t GetLastError()');
  const times = kernel<(h: Handle, start: Buffer, end: Buffer, kernel: Buffer, user: Buffer) => boolean>(
    'bool GetProcessTimes(void *h, uint8_t *start, uint8_t *end, uint8_t *kernel, uint8_t *user)',
  );
  const wait = kernel<(h: Handle, ms: number) => number>(
    'uint32_t WaitForSingleObject(void *h, uint32_t ms)',
  );
  const close = kernel<(h: Handle) => boolean>('bool CloseHandle(void *h)');
  return {
    querySystem: (kind, buffer) => result((out) => querySystem(kind, buffer, buffer.length, out)),
    queryProcess: (process, kind, buffer) =>
      result((out) => queryProcess(process, kind, buffer, buffer.length, out)),
    addressOf: (buffer) => address(buffer),
    openProcess: (access, pid) => open(access, false, pid) ?? { errorCode: lastError() },
    startTimeOf: (process) => {
      const [start, ...others] = Array.from({ length: 4 }, () => Buffer.alloc(FILETIME_BYTES));
      const [end, inKernel, inUser] = others;
      return times(process, start!, end!, inKernel!, inUser!) ? start!.readBigUInt64LE() : undefined;
    },
    hasEnded: (process) => wait(process, 0) === 0,
    close: (handle) => void close(handle),
    ...jobFunctions(kernel),
  };
}

type JobFunctions = Pick<
  NativeApi,
  'createJob' | 'setJobLimits' | 'setJobCpuRate' | 'assignToJob' | 'listJob' | 'terminateJob'
>;

function jobFunctions(kernel: <F>(prototype: string) => F): JobFunctions {
  const createJob = kernel<(security: null, name: null) => Handle | null>(
    'void *CreateJobObjectW(void *security, void *name)',
  );
  const setJob = kernel<(job: Handle, kind: number, info: Buffer, bytes: number) => boolean>(
    'bool SetInformationJobObject(void *job, int32_t kind, uint8_t *info, uint32_t bytes)',
  );
  const assign = kernel<(job: Handle, h: Handle) => boolean>(
    'bool AssignProcessToJobObject(void *job, void *h)',
  );
  const queryJob = kernel<(job: Handle, kind: number, info: Buffer, bytes: number, out: null) => boolean>(
    'bool QueryInformationJobObject(void *job, int32_t kind, uint8_t *info, uint32_t bytes, void *out)',
  );
  const terminate = kernel<(job: Handle, code: number) => boolean>(
    'bool TerminateJobObject(void *job, uint32_t code)',
  );
  return {
    createJob: () => createJob(null, null) ?? undefined,
    setJobLimits: (job, info) => setJob(job, EXTENDED_LIMIT_INFORMATION, info, info.length),
    setJobCpuRate: (job, info) => setJob(job, CPU_RATE_CONTROL_INFORMATION, info, info.length),
    assignToJob: assign,
    listJob: (job, buffer) => queryJob(job, BASIC_PROCESS_ID_LIST, buffer, buffer.length, null),
    terminateJob: terminate,
  };
}

function result(call: (out: number[]) => number): QueryResult {
  const out = [0];
  const status = call(out) >>> 0;
  return { status, bytes: out[0] ?? 0 };
}
