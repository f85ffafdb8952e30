import { stripVTControlCharacters } from 'node:util';
import type { PanelEvent, ServerView } from '../../../shared/domain.ts';
import type { Diagnostics, DiagnosticsQuery, DiagnosticsSection } from '../../../shared/diagnostics.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { historyMetrics } from '../../../shared/history.ts';
import type { LogLine, LogPage, LogPageQuery } from '../../../shared/log-lines.ts';
import type { LoopLateness } from '../../../shared/panel-figures.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { WallClock } from '../clock.ts';
import { mapInTurns } from '../map-in-turns.ts';
import { nextTurn } from '../next-turn.ts';
import type { SystemFacts } from '../platform/system-facts.ts';
import type { HistorySource } from '../store/history-source.ts';
import { firstLinesWithin, lastLinesWithin, newestLines } from './bounded-lines.ts';
import { configLines } from './config-lines.ts';
import { figureLines } from './figure-lines.ts';
import { panelLines, systemLines, versionLines } from './system-lines.ts';
import { escapeRegExp } from '../../../shared/escape-reg-exp.ts';

/** Sources of the diagnostics. */
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

const DAY_MS = 86_400_000;
/** Number of buckets: the quarters of an hour in a day, and one more because the first bucket begins before the day. */
const BUCKETS = 97;
const EVENTS = 200;
const LINES_EACH = 200;
/** Name of the panel itself in a request for lines of servers. */
const PANEL = '';
const KIBI = 1024;
/** Bytes reserved for the line that says how many lines are missing. */
const NOTE_BYTES = 64;
/** Maximum bytes per section; together, with titles and fences, less than 2 MiB. */
const MAX_BYTES = { configuration: 320 * KIBI, figures: 256 * KIBI, events: 384 * KIBI, logs: 960 * KIBI };

/**
 * Collects what helps to diagnose a problem elsewhere, of one server or of all, without secrets. Works in chunks across
 * event-loop ticks. Rejects with `SERVER_UNKNOWN` for a server that is not configured.
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
  const redacted = (lines: readonly string[]) => redactLines(sources, lines);
  const facts = sources.systemFacts();
  const { history, loop } = sources;
  const figures = [...panelLines(loop(), await history.state()), ...(await allFigures(sources, views))];
  const sections: DiagnosticsSection[] = [
    {
      id: 'versions',
      title: 'Versions',
      text: (await redacted(versionLines(sources.appVersion, facts))).join('\n'),
    },
    { id: 'system', title: 'System', text: (await redacted(systemLines(facts))).join('\n') },
    {
      id: 'configuration',
      title: 'Configuration',
      text: firstLinesWithin(await redacted(configs.flatMap(configLines)), MAX_BYTES.configuration),
    },
    {
      id: 'figures',
      title: 'Figures',
      text: firstLinesWithin(await redacted(figures), MAX_BYTES.figures),
    },
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

/** Redacts secrets before lines are cut. */
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
  // One server after the other, because each may read a day of samples.
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

/** Removes colours before redaction, because an escape sequence could stand within a secret. */
const logLine = ({ at, source, text }: LogLine) =>
  `${new Date(at).toISOString()} ${source} ${stripVTControlCharacters(text)}`;

/**
 * Minimum characters of a home path that is replaced; a shorter path, such as that of root in a container, also occurs inside
 * other words.
 */
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
