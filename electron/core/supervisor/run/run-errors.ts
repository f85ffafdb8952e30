import { PanelError, type ErrorCode } from '../../../../shared/error-codes.ts';
import type { ExitStatus } from '../../platform/spawner.ts';
import type { Evidence } from '../liveness/liveness-monitor.ts';
import type { VerdictRow } from '../liveness/verdict.ts';
import type { StallVerdict } from './run-watch.ts';

/** Where a run stood when it ended: a server that never came up has not crashed, it failed to start. */
export type RunPhase = 'starting' | 'up' | 'over';

/** The process ended without being asked. */
export function exitError(exit: ExitStatus, phase: RunPhase, stderrTail: string): PanelError {
  const when = phase === 'starting' ? ' before its handshake was complete' : '';
  const lastLine = stderrTail.trimEnd().split('\n').at(-1) ?? '';
  const said = lastLine === '' ? '' : ` Its last words: ${lastLine.slice(0, 200)}`;
  const remedy =
    lastLine === ''
      ? 'It wrote nothing to stderr; run its command in a terminal to see why.'
      : 'Read what it wrote to stderr.';
  return new PanelError(codeIn(phase), `The server ${describeExit(exit)}${when}.${said}`, {
    data: { ...exit, stderrTail },
    remedy,
  });
}

/** The process lives, but its output has ended: nothing can come from it any more. */
export function closedOutputError(phase: RunPhase, stderrTail: string): PanelError {
  const message = 'The server closed its output but did not exit; nothing can come from it any more.';
  return new PanelError(codeIn(phase), message, {
    data: { eof: true, stderrTail },
    remedy: 'Read what it wrote to stderr.',
  });
}

/** What every pending request of a stalled server is rejected with. */
export function stallError(
  name: string,
  verdict: StallVerdict,
  evidence: Evidence,
  epochMs: number,
): PanelError {
  return new PanelError('STALLED', `${name} does not respond: ${verdict.words}.`, {
    data: {
      row: verdict.row,
      elapsedMs: evidence.silentMs,
      lastActivityAt: epochMs - evidence.silentMs,
      pendingMethods: evidence.calls.map((call) => call.method),
    },
    remedy: 'If it was only busy, raise "Not responding after" in its configuration.',
  });
}

/** What the event of a verdict holds: the row of the table, the words, and what it rests on. */
export function verdictDetail(
  verdict: { readonly row: VerdictRow; readonly words: string },
  evidence: Evidence,
): Record<string, unknown> {
  const { row, words } = verdict;
  const pendingMethods = evidence.calls.map((call) => call.method);
  return { row, words, elapsedMs: evidence.silentMs, pendingMethods, evidence };
}

export function toStartError(error: unknown): PanelError {
  if (error instanceof PanelError) return error;
  return new PanelError('START_FAILED', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}

function codeIn(phase: RunPhase): ErrorCode {
  return phase === 'starting' ? 'START_FAILED' : 'CRASHED';
}

function describeExit(exit: ExitStatus): string {
  return exit.signal === undefined ? `exited with code ${exit.exitCode}` : `was ended by ${exit.signal}`;
}
