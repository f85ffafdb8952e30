/**
 * Where a line comes from: `stderr` of the server, `protocol` for what was no message, `mcp` for its log notifications,
 * `traffic` for each message both ways, `panel` for what the panel itself says.
 */
export const logSources = ['stderr', 'protocol', 'mcp', 'traffic', 'panel'] as const;
export type LogSource = (typeof logSources)[number];

/** Of the MCP specification (Logging), from the least to the most severe. */
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

/** Lines of one page. */
export const MAX_LOG_PAGE = 2000;
