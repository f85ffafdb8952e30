import { PanelError, type ErrorCode } from '../../../../shared/error-codes.ts';
import { shownTail } from '../../journal/output-log.ts';
import { aboutServer } from '../../phrases.ts';
import type { HostedEnd } from '../../platform/hosted-run.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { causeData, endError, READ_STDERR } from '../diagnosis/end-words.ts';
import type { Launch } from '../diagnosis/container-failure.ts';
import type { Evidence } from '../liveness/gather-facts.ts';
import type { Verdict } from '../liveness/verdict.ts';
import { messageOf } from '../../../../shared/message-of.ts';

export type StallVerdict = Extract<Verdict, { kind: 'stalled' }>;

/** Phase of a run. If a run ends while `starting`, its server did not crash but failed to start. */
export type RunPhase = 'starting' | 'up' | 'over';

/** Returns the error of a process that ended without being stopped by the panel. Its `data` is that of `endError`. */
export function exitError(exit: HostedEnd, phase: RunPhase, stderr: string, launch: Launch): PanelError {
  return endError(codeIn(phase), { exit, isStarting: phase === 'starting', stderr, launch });
}

/** Returns the error of a start that took too long, supplemented with the cause that stderr shows. */
export function withCauseOf(timeout: PanelError, stderr: string, launch: Launch): PanelError {
  const diagnosis = diagnose(stderr, Object.keys(launch.env));
  const data = { ...timeout.data, stderrTail: shownTail(stderr) };
  if (!diagnosis?.isTelling)
    return new PanelError(timeout.code, timeout.message, {
      data,
      remedy: timeout.remedy,
      short: timeout.short,
    });
  const { cause, remedy } = diagnosis;
  const message = `${cause} (${timeout.short?.phrase ?? timeout.message})`;
  return new PanelError(timeout.code, message, {
    data: { ...data, ...causeData(diagnosis, remedy) },
    remedy: remedy?.words ?? timeout.remedy,
    short: { phrase: message, brief: cause },
  });
}

/** Returns the error of a process that is still alive, but whose output has ended, so that no more messages can come. */
export function closedOutputError(phase: RunPhase, stderr: string, isEngineLost: boolean): PanelError {
  const phrase = isEngineLost
    ? 'lost its engine, which does not answer'
    : 'closed its output but did not exit; it cannot answer';
  return new PanelError(codeIn(phase), aboutServer(phrase), {
    data: { eof: true, stderrTail: shownTail(stderr), ...(isEngineLost && { isEngineLost }) },
    remedy: isEngineLost ? 'Start the engine; the server starts again when it answers.' : READ_STDERR,
    short: { phrase },
  });
}

export function stallError(
  name: string,
  verdict: StallVerdict,
  evidence: Evidence,
  epochMs: number,
): PanelError {
  const { row, words } = verdict;
  const [what, remedy] =
    row === 10
      ? ['was given up', 'If the check is wrong, change it under "Own health check" in its configuration.']
      : ['does not respond', 'If it was only busy, raise "Not responding after" in its configuration.'];
  return new PanelError('STALLED', `${name} ${what}: ${words}.`, {
    data: {
      row,
      elapsedMs: evidence.silentMs,
      lastActivityAt: epochMs - evidence.silentMs,
      pendingMethods: evidence.calls.map((call) => call.method),
    },
    remedy,
    short: { phrase: words },
  });
}

export function toStartError(error: unknown): PanelError {
  if (error instanceof PanelError) return error;
  return new PanelError('START_FAILED', messageOf(error), {
    cause: error,
  });
}

function codeIn(phase: RunPhase): ErrorCode {
  return phase === 'starting' ? 'START_FAILED' : 'CRASHED';
}

export function cannotSleep(name: string, why: Sleepless): PanelError {
  const words = `${name} cannot sleep: it is ${why.replace('-', ' ')}.`;
  return new PanelError('CANNOT_SLEEP', words, { data: { why } });
}

export type Sleepless = 'remote' | 'not-running' | 'in-use';
