import { StringDecoder } from 'node:string_decoder';
import { cutText } from '../../../../shared/cut-text.ts';
import { PanelError, toErrorReport } from '../../../../shared/error-codes.ts';
import type { ConnectionTest } from '../../../../shared/manage.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { secretsOf } from '../../journal/config-secrets.ts';
import { createRedactor } from '../../journal/redact.ts';
import type { ProcessTable } from '../../platform/process-table.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { ProcessCustody } from '../custody/process-custody.ts';
import type { Run } from './run.ts';
import type { ServerSupervisorDeps } from '../server-supervisor-deps.ts';
import { TelemetrySampler } from '../../telemetry/sampler.ts';

interface TestConnectionDeps extends Pick<
  ServerSupervisorDeps,
  'clock' | 'createRun' | 'custody' | 'resolveConfig'
> {
  /** Process table. If defined, work of the process tree counts as progress, because `npx` may download silently for minutes. */
  readonly table?: ProcessTable;
}

const STDERR_CHARACTERS = 64 * 1024;
const LOOK_MS = 1000;
/** Maximum pages of the tool list that are read, because a faulty server may always return a further page. */
const MAX_TOOL_PAGES = 50;
/** Maximum number of tool names that are shown, and maximum number of characters of each name. */
const MAX_TOOLS = 5000;
const MAX_NAME_LENGTH = 300;

/**
 * Starts a server that is not one of the supervised servers, completes the handshake, lists the tools and ends the server. No
 * process of the server is left when the promise resolves. The time limits are those of a start (`startTimeoutMs` without
 * progress, `startMaxMs` in total), plus `startTimeoutMs` for each page of the list; `signal` ends the test immediately. Never
 * rejects.
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
  const decoder = new StringDecoder('utf8');
  let stderr = '';
  const redact = createRedactor(secretsOf(config));
  const report = (result: Omit<ConnectionTest, 'stderr'>) => redact({ ...result, stderr });
  const run: Run = await deps.createRun(config, {
    settings: () => config.panel,
    announce: (marker) => deps.custody.announce({ server: config.name, generation: 0, marker }),
    onHosted: () => {
      keepRecord(config.name, deps.custody, run);
      watch?.poke();
    },
    onStderr: (chunk) => (stderr = (stderr + decoder.write(chunk)).slice(-STDERR_CHARACTERS)),
    stderrTail: () => redact(stderr),
    onMalformed: () => undefined,
    onConnection: () => undefined,
    // A crash needs no handling here, because the pending request rejects with it.
    onCrashed: () => undefined,
  });
  if (signal?.aborted) return report({ ok: false, error: toErrorReport(cancelled(), 'CANCELLED') });
  const watch = watchTree(config, deps, run);
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

/** Returns the names of the tools. It checks the result, because the connection does not. */
function namesOf(tools: unknown): readonly string[] {
  if (!Array.isArray(tools))
    throw new PanelError('PROTOCOL_ERROR', 'The answer to tools/list contains no list of tools.');
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
  const over = new PanelError('STOPPED', 'The test of the connection has ended.');
  const { stopGraceMs, killGraceMs } = panel;
  const report = await (signal?.aborted ? run.kill(over) : run.end({ stopGraceMs, killGraceMs }, over));
  const isNothingLeft = report.leftPids.length === 0 && !report.lookError;
  if (run.record && isNothingLeft) custody.forget(run.record);
}

/**
 * Samples the process tree so that its work counts as progress, and keeps the on-disk record of its processes up to date.
 * Dispose the sampler before the run ends.
 */
function watchTree(
  { name }: ServerConfig,
  { clock, table, custody }: TestConnectionDeps,
  run: Run,
): TelemetrySampler | undefined {
  if (table === undefined) return undefined;
  return new TelemetrySampler({
    clock,
    wallClock: { epochMs: () => clock.now() },
    table,
    targets: () => (run.pid === undefined ? [] : [{ key: name, pid: run.pid }]),
    intervalMs: () => Math.max(LOOK_MS, table.leastIntervalMs ?? 0),
    onTick: (samples) => {
      const tree = samples.get(name);
      if (tree) run.sampled(tree);
      keepRecord(name, custody, run);
    },
    // A failed sample says nothing about the run; the next one may succeed.
    onError: () => undefined,
  });
}

function keepRecord(server: string, custody: ProcessCustody, { record }: Run): void {
  if (record) custody.record({ server, generation: 0, ...record });
}

function cancelled(): PanelError {
  return new PanelError('CANCELLED', 'The test of the connection was cancelled.');
}
