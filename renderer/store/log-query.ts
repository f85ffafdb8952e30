import type { TextLevel } from '../../shared/log-level.ts';
import type { LogFilter } from '../../shared/log-lines.ts';

type ChosenSource = NonNullable<LogFilter['sources']>[number];

/**
 * Filter of the log lines, as the route contains it. A part that is undefined does not filter. The time is shared by all views:
 * an address may contain the time, but only `keepTime` reads it.
 */
export interface LogQuery {
  readonly servers?: readonly string[];
  readonly sources?: readonly ChosenSource[];
  readonly leastLevel?: TextLevel;
  readonly generation?: number;
  readonly from?: number;
  readonly to?: number;
  /** Present if the panel's own requests to servers, such as health checks, are also shown. */
  readonly withOwn?: true;
  /** Time to which the log scrolls first. */
  readonly at?: number;
}

/** Names of the log sources, in the order of the menu. */
export const sourceNames: Readonly<Record<ChosenSource, string>> = {
  stderr: 'stderr',
  protocol: 'Not MCP',
  mcp: 'Log messages',
  traffic: 'Traffic',
  panel: 'Panel',
};
export const chosenSources = Object.keys(sourceNames) as readonly ChosenSource[];

const levels: readonly TextLevel[] = ['debug', 'info', 'warning', 'error'];

/** Parses the part of a hash after the question mark, except for the time. Unknown parts are ignored. */
export function parseLogQuery(text: string): LogQuery {
  const params = new URLSearchParams(text);
  const servers = params.getAll('server');
  const sources = chosenSources.filter((source) => params.getAll('source').includes(source));
  const leastLevel = levels.find((level) => level === params.get('level'));
  const generation = params.get('generation') ?? '';
  return {
    ...(servers.length > 0 && { servers }),
    ...(sources.length > 0 && { sources }),
    ...(leastLevel && { leastLevel }),
    ...(/^\d{1,16}$/.test(generation) && { generation: Number(generation) }),
    ...(params.has('own') && { withOwn: true }),
  };
}

/** Returns the query as the part of a hash that begins with the question mark. Empty if nothing filters. */
export function logQueryText(query: LogQuery): string {
  const params = new URLSearchParams();
  for (const server of query.servers ?? []) params.append('server', server);
  for (const source of query.sources ?? []) params.append('source', source);
  if (query.leastLevel !== undefined) params.set('level', query.leastLevel);
  for (const name of ['generation', 'from', 'to', 'at'] as const) {
    const value = query[name];
    if (value !== undefined) params.set(name, String(Math.round(value)));
  }
  if (query.withOwn === true) params.set('own', '1');
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns a copy of the query without the given parts. */
export const without = (query: LogQuery, ...parts: readonly (keyof LogQuery)[]): LogQuery =>
  Object.fromEntries(Object.entries(query).filter(([part]) => !parts.some((one) => one === part)));

/** Returns the filter for the request to the main process. */
export function filterOf(query: LogQuery): LogFilter {
  const { servers, sources, leastLevel, generation, from, to } = query;
  return {
    ...(servers && { servers: [...servers] }),
    ...(sources && { sources: [...sources] }),
    ...(leastLevel && { leastLevel }),
    ...(generation !== undefined && { generation }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(query.withOwn !== true && { withoutOwn: true }),
  };
}
