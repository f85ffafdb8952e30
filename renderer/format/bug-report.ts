import type { ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { stateWords } from '../../shared/server-states.ts';
import { errorAsText } from './error-words.ts';
import { formatMoment } from './moments.ts';

export interface ReportEnvironment {
  readonly appVersion: string;
  readonly electronVersion: string;
  /** Operating system, by the browser's name for it. */
  readonly platform: string;
}

/**
 * Text for a bug report: the error, how the server was started, and the versions of app and system. All texts in it were
 * redacted by the main process; environment and headers are left out.
 */
export function bugReport(server: ServerView, error: ErrorReport, on: ReportEnvironment): string {
  const { name, transport, target, state, serverInfo, generation, restartsTotal } = server;
  return [
    errorAsText(error, name),
    '',
    `${transport === 'stdio' ? 'Command' : 'Address'}: ${target}`,
    `Transport: ${transport}`,
    ...(serverInfo === undefined ? [] : [`Server: ${serverInfo.name} ${serverInfo.version}`]),
    `State: ${stateWords[state.kind]} since ${formatMoment(state.since)} (start ${generation}, ${restartsTotal} restarts since the panel started)`,
    `MCP Control Panel ${on.appVersion}, Electron ${on.electronVersion}, ${on.platform}`,
  ].join('\n');
}
