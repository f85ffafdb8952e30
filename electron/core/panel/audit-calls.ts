import { cutText } from '../../../shared/cut-text.ts';
import type { RelayedCall } from '../gateway/session/options.ts';
import type { HistoryRecorder } from '../store/history-recorder.ts';
import type { OpenedFiles } from './open-files.ts';

/** Longest arguments in the list of calls, in characters. */
const MAX_ARGUMENTS = 4000;

/** Returns what records the calls of tools, with their arguments where a person wants them. */
export function auditor(
  { journal, settings }: Pick<OpenedFiles, 'journal' | 'settings'>,
  recorder: HistoryRecorder,
): (call: Omit<RelayedCall, 'clientId'>) => void {
  return ({ clientName: client, server, method, target: tool = '', outcome, durationMs, ...call }) => {
    if (method !== 'tools/call') return;
    const { digest, approvedBy, bytes, isToolError, arguments: given } = call;
    const isWanted = settings.current.settings.audit.arguments && given !== undefined;
    const text = isWanted ? journal.redactOnce(JSON.stringify(given)) : undefined;
    const shown = text === undefined ? undefined : cutText(text, MAX_ARGUMENTS, 'end').text;
    const outside = { digest, approvedBy, isToolError: isToolError || undefined, arguments: shown };
    const sizes = { bytesIn: bytes?.in, bytesOut: bytes?.out };
    recorder.audited({
      client,
      server,
      tool,
      outcome,
      durationMs: Math.round(durationMs),
      ...outside,
      ...sizes,
    });
  };
}
