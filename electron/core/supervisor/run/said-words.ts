import { logLevels, type LogLevel } from '../../../../shared/log-kinds.ts';
import { levelOf } from '../../../../shared/log-level.ts';
import type { ServerOutput } from '../../journal/server-output.ts';
import type { MalformedOutput } from '../../mcp/malformed-output.ts';
import { contentWords } from '../../mcp/connection-traffic.ts';
import type { ServerNotification } from '../../mcp/rpc-peer.ts';

const PARAMS = '"params":';
const LOG_MESSAGE = 'notifications/message';
/** Maximum number of characters that are read of one long message; more than is ever shown. */
const MAX_CHARACTERS = 16 * 1024;

const wordsOfNoise: Readonly<Record<MalformedOutput['noise'], string>> = {
  'not-json': 'no JSON',
  'not-a-message': 'no message of the protocol',
  'bad-utf8': 'no UTF-8',
  'too-long': 'too long',
  'too-many': 'too many',
  'cut-off': 'cut off by the end of the output',
  unmatched: 'an answer to no request',
  'not-handled': 'could not be handled',
};

export function keepNoise(output: Pick<ServerOutput, 'say'>, { noise, excerpt }: MalformedOutput): void {
  output.say('protocol', `(${wordsOfNoise[noise]}) ${excerpt}`, levelOf(excerpt));
}

/** Adds a log message of the protocol (MCP specification, logging) to the server's log; other notifications are ignored. */
export function keepLogMessage(
  output: Pick<ServerOutput, 'say'>,
  { method, params, long }: ServerNotification,
): void {
  if (method !== LOG_MESSAGE) return;
  const { level, logger, data } = params ?? {};
  const text = data === undefined && long ? bodyOf(long) : textOf(data);
  const said = typeof logger === 'string' && logger !== '' ? `${logger}: ${text}` : text;
  output.say('mcp', said, isLevel(level) ? level : 'info');
}

/** Returns the beginning of a long message's params, as the server wrote them. */
function bodyOf(long: NonNullable<ServerNotification['long']>): string {
  const head = long.head(MAX_CHARACTERS).toString('utf8');
  return head.slice(head.indexOf(PARAMS) + 1 && head.indexOf(PARAMS) + PARAMS.length);
}

function textOf(data: unknown): string {
  if (data === undefined) return '';
  return typeof data === 'string' ? data : contentWords(data);
}

const isLevel = (level: unknown): level is LogLevel => (logLevels as readonly unknown[]).includes(level);
