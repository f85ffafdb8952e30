import { stripVTControlCharacters } from 'node:util';
import type { PanelEvent, ServerView } from '../../../shared/domain.ts';
import type { Diagnostics, DiagnosticsQuery, DiagnosticsSection } from '../../../shared/diagnostics.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { historyMetrics, type PastState } from '../../../shared/history.ts';
import type { CallAnswers } from '../../../shared/ipc/call.ts';
import type { diagnosticsCalls } from '../../../shared/ipc/topics/diagnostics.ts';
import type { LogLine, LogPage, LogPageQuery } from '../../../shared/log-lines.ts';
import type { LoopLateness } from '../../../shared/panel-figures.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { WallClock } from '../clock.ts';
import { mapInTurns } from '../map-in-turns.ts';
import { nextTurn } from '../next-turn.ts';
import type { SystemFacts } from '../platform/system-facts.ts';
import type { HistorySource } from '../store/history-source.ts';
import { configLines } from './config-lines.ts';
import { figureLines } from './figure-lines.ts';
import { escapeRegExp } from '../../../shared/escape-reg-exp.ts';
import { DAY_MS } from '../../../shared/units.ts';

/** What the diagnostics are collected from. */
export interface DiagnosticsSources {
  readonly appVersion: string;
  /** The user's home folder, which is shown as `~`, because its path contains the user's name. */
  readonly userHome: string;
  readonly wallClock: WallClock;
  readonly configs: () => readonly ServerConfig[];
  readonly views: () => readonly ServerView[];
  readonly history: Pick<HistorySource, 'series' | 'events' | 'state'>;
  readonly logPage: (query: LogPageQuery) => LogPage | Promise<LogPage>;
  readonly loop: () => LoopLateness | undefined;
  readonly systemFacts: () => SystemFacts;
  /** Redacts the secrets of the configuration, and what looks like a secret. */
  readonly redact: (text: string) => string;
}
/** Buckets in a history query over one day: 96 quarter hours, and one more because the first begins before the day does. */
const BUCKETS = 97;
const EVENTS = 200;
const LINES_EACH = 200;
/** Server name that stands for the panel itself in a query for log lines. */
const PANEL = '';
const KIBI = 1024;
/** Bytes reserved for the line that says how many lines are missing. */
const NOTE_BYTES = 64;
/** Maximum bytes per section; together, with titles and fences, less than 2 MiB. */
const MAX_BYTES = { configuration: 320 * KIBI, figures: 256 * KIBI, events: 384 * KIBI, logs: 960 * KIBI };

/** Diagnostics that the user gives to a supporter. */
export const diagnosticsOf = (sources: DiagnosticsSources): CallAnswers<typeof diagnosticsCalls> => ({
  collect: (query) => collectDiagnostics(sources, query),
  redact: async (report) => (await redactLines(sources, report.split('\n'))).join('\n'),
});

/**
 * Collects what helps somebody else to diagnose a problem of one server or of all servers. The result contains no secrets.
 * Yields to the event loop between chunks of work. Rejects with `SERVER_UNKNOWN` for a server that is not configured.
 */
export async function collectDiagnostics(
  sources: DiagnosticsSources,
  { server }: DiagnosticsQuery,
): Promise<Diagnostics> {
  const isMeant = (name: string) => server === undefined || name === server;
  const configs = sources.configs().filter(({ name }) => isMeant(name));
  const views = sources.views().filter(({ name }) => isMeant(name));
  if (server !== undefined && views.length === 0)
    throw new PanelError('SERVER_UNKNOWN', `There is no server “${server}” in servers.json.`);
  const section = async (
    id: DiagnosticsSection['id'],
    title: string,
    lines: readonly string[],
    maxBytes = Infinity,
  ) => ({ id, title, text: firstLinesWithin(await redactLines(sources, lines), maxBytes) });
  const facts = sources.systemFacts();
  const { history, loop } = sources;
  const figures = [...panelLines(loop(), await history.state()), ...(await allFigures(sources, views))];
  const sections: DiagnosticsSection[] = [
    await section('versions', 'Versions', versionLines(sources.appVersion, facts)),
    await section('system', 'System', systemLines(facts)),
    await section('configuration', 'Configuration', configs.flatMap(configLines), MAX_BYTES.configuration),
    await section('figures', 'Figures', figures, MAX_BYTES.figures),
    {
      id: 'events',
      title: `Last ${EVENTS} events`,
      text: await lastLines(sources, await eventLines(sources, server), MAX_BYTES.events),
    },
    {
      id: 'logs',
      title: `Last ${LINES_EACH} lines of each log`,
      text: await allLogs(sources, [
        ...(server === undefined ? [PANEL] : []),
        ...views.map(({ name }) => name),
      ]),
    },
  ];
  return { at: sources.wallClock.epochMs(), sections };
}

/** Redacts secrets and the user's home folder in whole lines. Call it before lines are cut: half a secret is not recognized. */
export function redactLines(
  { redact, userHome }: DiagnosticsSources,
  lines: readonly string[],
): Promise<string[]> {
  const withoutHome = homeAsTilde(userHome);
  return mapInTurns(
    lines,
    (line) => line.length,
    (line) => withoutHome(redact(line)),
  );
}

async function allFigures(
  { history, wallClock }: DiagnosticsSources,
  views: readonly ServerView[],
): Promise<readonly string[]> {
  const to = wallClock.epochMs();
  const from = to - DAY_MS;
  const lines: string[] = [];
  // One server after the other, because each query may read a day of samples.
  for (const view of views) {
    const query = {
      servers: [view.name],
      metrics: [...historyMetrics],
      from,
      to,
      maxBuckets: BUCKETS,
    };
    lines.push(...figureLines(view, await history.series(query), from));
    await nextTurn();
  }
  return lines;
}

async function eventLines({ history, wallClock }: DiagnosticsSources, server: string | undefined) {
  const to = wallClock.epochMs() + DAY_MS;
  const { events } = await history.events({
    from: 0,
    to,
    limit: EVENTS,
    ...(server !== undefined && { server }),
  });
  return events.map(eventLine);
}

const eventLine = ({ at, server, kind, detail }: PanelEvent) =>
  `${new Date(at).toISOString()} ${server ?? 'the panel'} ${kind} ${JSON.stringify(detail)}`;

/** Returns the end of the log of each server and of the panel; each gets an equal share of the space. */
async function allLogs(sources: DiagnosticsSources, servers: readonly string[]): Promise<string> {
  const roomBytes = Math.floor(MAX_BYTES.logs / Math.max(1, servers.length));
  const logs: string[] = [];
  for (const server of servers) {
    const { lines } = await sources.logPage({ filter: { servers: [server] }, limit: LINES_EACH });
    const whose = server === PANEL ? 'the panel' : server;
    const head = `--- ${whose}: ${lines.length === 0 ? 'nothing' : `${lines.length} lines`}`;
    logs.push(
      `${head}\n${await lastLines(sources, lines.map(logLine), roomBytes - head.length - NOTE_BYTES)}`.trimEnd(),
    );
  }
  return logs.join('\n\n');
}

async function lastLines(sources: DiagnosticsSources, lines: readonly string[], maxBytes: number) {
  const redacted = await redactLines(sources, newestLines(lines, maxBytes));
  return lastLinesWithin(redacted, maxBytes, lines.length);
}

/** Removes colours before redaction, because an escape sequence could be inside a secret. */
const logLine = ({ at, source, text }: LogLine) =>
  `${new Date(at).toISOString()} ${source} ${stripVTControlCharacters(text)}`;

/** Minimum characters of a home path that is replaced; a shorter one, such as root's in a container, occurs inside words. */
const MIN_LENGTH = 3;
const WINDOWS_PATH = /^(?:[a-z]:|\\\\)/i;

/**
 * Returns a function that replaces the user's home folder in a line by `~`, because its path contains the user's name. On Windows
 * it matches any separators, including escaped ones of JSON, and any case.
 */
export function homeAsTilde(home: string): (line: string) => string {
  if (home.length < MIN_LENGTH) return (line) => line;
  if (!WINDOWS_PATH.test(home)) return (line) => line.replaceAll(home, '~');
  const pattern = new RegExp(
    home
      .split(/[\\/]+/)
      .map(escapeRegExp)
      .join(String.raw`[\\/]+`),
    'gi',
  );
  return (line) => line.replace(pattern, '~');
}

const GIBI = 1024 ** 3;

const HOUR_S = 3600;

function versionLines(appVersion: string, { versions, system, kernel }: SystemFacts): readonly string[] {
  return [
    `MCP Control Panel ${appVersion}`,
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    `${system} (${kernel})`,
  ];
}

function systemLines(facts: SystemFacts): readonly string[] {
  const gibibytes = (bytes: number) => `${(bytes / GIBI).toFixed(1)} GiB`;
  return [
    `architecture: ${facts.architecture}`,
    `processor: ${facts.coreCount} × ${facts.processor}`,
    `memory: ${gibibytes(facts.memoryBytes)}, ${gibibytes(facts.freeMemoryBytes)} free`,
    `up for ${(facts.uptimeSeconds / HOUR_S).toFixed(1)} h`,
    ...(facts.displayServer === undefined ? [] : [`display server: ${facts.displayServer}`]),
  ];
}

/** Returns lines on the panel itself: the lateness of its main loop, and the storage of its history. */
function panelLines(loop: LoopLateness | undefined, history: PastState): readonly string[] {
  const { keptIn, path, sizeBytes, oldestAt, problem } = history;
  return [
    loop === undefined
      ? 'main loop: not watched'
      : `main loop, last minute: late by ${loop.p50Ms.toFixed(1)} ms (median), ${loop.p99Ms.toFixed(1)} ms (p99), ${loop.maxMs.toFixed(1)} ms (most)`,
    `history: kept in ${keptIn}${path === undefined ? '' : ` ${path}`}${sizeBytes === undefined ? '' : `, ${sizeBytes} bytes`}`,
    ...(oldestAt === undefined ? [] : [`history since ${new Date(oldestAt).toISOString()}`]),
    ...(problem === undefined ? [] : [`history: ${problem}`]),
  ];
}
/** Maximum characters of a line: its start shows the subject, and the rest would displace other lines. */
const MAX_LINE_CHARACTERS = 2000;

/** Returns as many of the last lines as may fit in `maxBytes`, uncut. Redaction is slow, so it is applied only to these lines. */
function newestLines(lines: readonly string[], maxBytes: number): readonly string[] {
  let characters = 0;
  const firstOut = lines.findLastIndex((line) => {
    characters += Math.min(line.length, MAX_LINE_CHARACTERS);
    return characters > maxBytes;
  });
  return lines.slice(firstOut + 1);
}

/** Returns the first lines that fit in `maxBytes` of UTF-8, above a line that says how many are missing. */
function firstLinesWithin(lines: readonly string[], maxBytes: number): string {
  const kept = linesWithin(lines, maxBytes);
  const missing = lines.length - kept.length;
  return [...kept, ...(missing === 0 ? [] : [`(${missing} further lines are left out)`])].join('\n');
}

/**
 * Returns the last lines that fit in `maxBytes` of UTF-8, oldest first, below a line that says how many of `count` are missing.
 * For redacted lines only, because a cut may leave half of a secret.
 */
function lastLinesWithin(lines: readonly string[], maxBytes: number, count: number): string {
  const kept = linesWithin(lines.toReversed(), maxBytes);
  const missing = count - kept.length;
  const note = missing === 0 ? [] : [`(${missing} earlier lines are left out)`];
  return [...note, ...kept.toReversed()].join('\n');
}

function linesWithin(lines: readonly string[], maxBytes: number): readonly string[] {
  const kept = lines.map(cut);
  let bytes = 0;
  const tooMany = kept.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > maxBytes);
  return tooMany === -1 ? kept : kept.slice(0, tooMany);
}

const cut = (line: string) =>
  line.length <= MAX_LINE_CHARACTERS
    ? line
    : `${line.slice(0, MAX_LINE_CHARACTERS)}… (${line.length - MAX_LINE_CHARACTERS} more characters)`;
