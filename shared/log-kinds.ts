/**
 * Sources of a log line.
 * - `stderr`: stderr of the server.
 * - `protocol`: malformed output.
 * - `mcp`: the server's log notifications.
 * - `traffic`: each message in both directions.
 * - `panel`: messages of the panel itself.
 */
export const logSources = ['stderr', 'protocol', 'mcp', 'traffic', 'panel'] as const;
export type LogSource = (typeof logSources)[number];

/** Levels of the MCP specification (Logging), from the least to the most severe. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type LogLevel = (typeof logLevels)[number];

/** Maximum log lines of one page. */
export const MAX_LOG_PAGE = 2000;
