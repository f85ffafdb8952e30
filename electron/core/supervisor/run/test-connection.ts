import { cutText } from '../../../../shared/cut-text.ts';
import { PanelError, toErrorReport } from '../../../../shared/error-codes.ts';
import type { ConnectionTest } from '../../../../shared/manage.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Disposable, Clock } from '../../clock.ts';
import { secretsOf } from '../../journal/config-secrets.ts';
import { createRedactor } from '../../journal/redact.ts';
import type { ProcessTable } from '../../platform/process-table.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { ProcessCustody } from '../custody/process-custody.ts';
import type { Run, RunHooks } from './run.ts';
import type { ServerSupervisorDeps } from '../server-supervisor-deps.ts';
import { type TreeSample, sampleTree, type TreeMemory } from '../../telemetry/tree-sample.ts';

export interface TestConnectionDeps extends Pick<
  ServerSupervisorDeps,
  'clock' | 'createRun' | 'custody' | 'resolveConfig'
> {
  /** Process table. If it is defined, work of the tree counts as progress, because `npx` may download silently for minutes. */
  readonly table?: Pick<ProcessTable, 'readTrees'>;
}

const STDERR_BYTES = 64 * 1024;
/** Maximum pages of the tool list, because a server's pages may never end. */
const MAX_TOOL_PAGES = 50;
/** Maximum number of tool names, and maximum characters of each, that are shown. */
const MAX_TOOLS = 5000;
const MAX_NAME_LENGTH = 300;

/**
 * Starts a server outside the fleet, completes the handshake, lists its tools and ends it; nothing of it is left when this
 * resolves. The deadlines are those of a start (`startTimeoutMs` without progress, `startMaxMs` in all), and `startTimeoutMs`
 * again for the list; `signal` ends it at once. Never rejects.
 */
export async function testConnection(
  given: ServerConfig,
  deps: TestConnectionDeps,
  signal?: AbortSignal,
): Promise<ConnectionTest> {
  try {
    const config = await deps.resolveConfig?.(given, signal ?? new AbortController().signal);
    return await testResolved(config ?? given, deps, signal);
  } catch (error) {
    return { ok: false, error: toErrorReport(error, 'START_FAILED'), stderr: '' };
  }
}

async function testResolved(
  config: ServerConfig,
  deps: TestConnectionDeps,
  signal: AbortSignal | undefined,
): Promise<ConnectionTest> {
  const stderr = new TailBuffer(STDERR_BYTES);
  const redact = createRedactor(secretsOf(config));
  const report = (result: Omit<ConnectionTest, 'stderr'>) => redact({ ...result, stderr: stderr.text });
  const run: Run = await deps.createRun(
    config,
    hooksOf(
      config,
      deps,
      { push: (chunk) => stderr.push(chunk), tail: () => redact(stderr.text) },
      () => run,
    ),
  );
  if (signal?.aborted) return report({ ok: false, error: toErrorReport(cancelled(), 'CANCELLED') });
  const watch = watchRun(config, deps, run);
  const onAbort = () => void run.kill(cancelled());
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return report(await examine(config, deps, run, signal));
  } finally {
    watch?.dispose();
    await endRun(config, deps, run, signal);
    signal?.removeEventListener('abort', onAbort);
  }
}

async function examine(
  { panel }: ServerConfig,
  { clock }: TestConnectionDeps,
  run: Run,
  signal: AbortSignal | undefined,
): Promise<Omit<ConnectionTest, 'stderr'>> {
  const startedAtMs = clock.now();
  let seen: Pick<ConnectionTest, 'handshakeMs' | 'serverInfo'> = {};
  try {
    await run.launch();
    const connection = run.connection!;
    const { serverInfo } = connection;
    seen = { handshakeMs: Math.round(clock.now() - startedAtMs), ...(serverInfo && { serverInfo }) };
    return { ok: true, ...seen, tools: await listTools(connection, panel.startTimeoutMs, signal) };
  } catch (error) {
    const cause = signal?.aborted ? cancelled() : error;
    return { ok: false, ...seen, error: toErrorReport(cause, 'START_FAILED') };
  }
}

async function listTools(
  connection: McpConnection,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const names: string[] = [];
  if (connection.capabilities.tools === undefined) return names;
  let cursor: unknown;
  for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
    const params = typeof cursor === 'string' ? { cursor } : undefined;
    const { tools, nextCursor } = await connection.request('tools/list', params, {
      timeoutMs,
      ...(signal && { signal }),
    });
    for (const name of namesOf(tools)) names.push(name);
    cursor = nextCursor;
    if (typeof cursor !== 'string' || names.length >= MAX_TOOLS) break;
  }
  return names.slice(0, MAX_TOOLS);
}

/** Returns the names of tools. It checks the result, because the connection returns it unchecked. */
function namesOf(tools: unknown): readonly string[] {
  if (!Array.isArray(tools))
    throw new PanelError('PROTOCOL_ERROR', 'The answer to tools/list holds no list of tools.');
  return tools.flatMap((tool: unknown) => {
    const name = typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : undefined;
    return typeof name === 'string' ? [cutText(name, MAX_NAME_LENGTH, 'end').text] : [];
  });
}

async function endRun(
  { panel }: ServerConfig,
  { custody }: TestConnectionDeps,
  run: Run,
  signal: AbortSignal | undefined,
): Promise<void> {
  const over = new PanelError('STOPPED', 'The test of the connection is over.');
  const { stopGraceMs, killGraceMs } = panel;
  const report = await (signal?.aborted ? run.kill(over) : run.end({ stopGraceMs, killGraceMs }, over));
  const isNothingLeft = report.leftPids.length === 0 && !report.lookError;
  if (run.record && isNothingLeft) custody.forget(run.record);
}

function hooksOf(
  { name, panel }: ServerConfig,
  { custody }: TestConnectionDeps,
  stderr: { readonly push: (chunk: Buffer) => void; readonly tail: () => string },
  run: () => Run,
): RunHooks {
  return {
    settings: () => panel,
    announce: (marker) => custody.announce({ server: name, generation: 0, marker }),
    onHosted: () => keepRecord(name, custody, run()),
    onStderr: (chunk) => stderr.push(Buffer.from(chunk)),
    stderrTail: () => stderr.tail(),
    onMalformed: () => undefined,
    onConnection: () => undefined,
    // A crash needs no handling here, because the pending request rejects with it.
    onCrashed: () => undefined,
  };
}

/** Records the tree's members during the start, for its end and for the next panel if this one dies. */
function watchRun({ name }: ServerConfig, deps: TestConnectionDeps, run: Run): Disposable | undefined {
  const { clock, table, custody } = deps;
  if (table === undefined) return undefined;
  const onLook = (tree: TreeSample) => {
    run.sampled(tree);
    keepRecord(name, custody, run);
  };
  return watchTree({ clock, table, pid: () => run.pid, onLook });
}

function keepRecord(server: string, custody: ProcessCustody, { record }: Run): void {
  if (record) custody.record({ server, generation: 0, ...record });
}

function cancelled(): PanelError {
  return new PanelError('CANCELLED', 'The test of the connection was cancelled.');
}

/** Keeps the last bytes of a stream, up to `maxBytes`. */
export class TailBuffer {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Chunks are joined only now and then, because a flood comes in chunks of any size.
    if (this.#bytes <= 2 * this.#maxBytes) return;
    const tail = Buffer.concat(this.#chunks).subarray(-this.#maxBytes);
    // Copied, so that the flood's buffer is not kept in memory.
    this.#chunks = [Buffer.from(tail)];
    this.#bytes = tail.length;
  }

  /** Kept bytes as text, without a partial character at the beginning. */
  get text(): string {
    const kept = Buffer.concat(this.#chunks);
    const isCut = kept.length > this.#maxBytes || this.#bytes >= this.#maxBytes;
    const text = kept.subarray(-this.#maxBytes).toString('utf8');
    return isCut ? text.replace(/^\uFFFD+/, '') : text;
  }
}

interface TreeWatchOptions {
  readonly clock: Clock;
  readonly table: Pick<ProcessTable, 'readTrees' | 'leastIntervalMs'>;
  /** Returns the pid of the tree's root; undefined once the root has ended. */
  readonly pid: () => number | undefined;
  readonly onLook: (tree: TreeSample) => void;
}

const LOOK_MS = 1000;

/** Samples a tree that telemetry does not know, every second at most. Dispose it before the run ends. */
function watchTree({ clock, table, pid, onLook }: TreeWatchOptions): Disposable {
  let isDisposed = false;
  let memory: TreeMemory | undefined;
  const intervalMs = () => Math.max(LOOK_MS, table.leastIntervalMs ?? 0);
  const look = async () => {
    const root = pid();
    // A failed sample says nothing about the run; the next one may succeed.
    const trees = root === undefined ? undefined : await table.readTrees([root]).catch(() => undefined);
    if (isDisposed) return;
    const readings = root === undefined ? undefined : trees?.get(root);
    if (readings !== undefined && readings.length > 0) {
      const now = clock.now();
      const look = sampleTree(memory, readings, { epochMs: now, nowMs: now });
      memory = look.memory;
      onLook(look.tree);
    }
    timer = clock.setTimeout(() => void look(), intervalMs());
  };
  let timer = clock.setTimeout(() => void look(), intervalMs());
  return {
    dispose: () => {
      isDisposed = true;
      timer.dispose();
    },
  };
}
