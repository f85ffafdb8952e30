import { PanelError } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import type { Clock, RandomSource } from '../../clock.ts';
import { serverKey } from '../../config/server-key.ts';
import { delay } from '../../wait.ts';
import { maskedUrl } from '../../journal/config-secrets.ts';
import { bothFailed, nextStep } from './remote-errors.ts';
import type { RemoteTransportKind, TransportPreferences } from './transport-preferences.ts';

interface ConnectRemoteOptions {
  readonly config: RemoteServerConfig;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly preferences: TransportPreferences;
  /** Performs one handshake over this kind of transport. If it rejects, it does so with a PanelError and leaves nothing open. */
  readonly attempt: (kind: RemoteTransportKind) => Promise<void>;
  /** Returns the milliseconds left of the time limit for the whole start. */
  readonly leftMs: () => number;
  /** Called at each attempt and repeatedly during a wait, because neither counts as inactivity. */
  readonly onProgress: () => void;
  /** Aborts a wait; no attempt follows. */
  readonly signal: AbortSignal;
}

const MAX_ATTEMPTS = 3;
/** Milliseconds to wait before the second attempt; doubled before the third. */
const FIRST_BACKOFF_MS = 500;
/** Interval of progress reports during a wait, in ms. */
const WAIT_SLICE_MS = 500;

/**
 * Connects over the suitable transport: Streamable HTTP, or the older HTTP with SSE if the server's response shows that it is
 * an older server. SSE is tried first if it worked before. Temporary failures are retried, up to three attempts. @throws
 * PanelError of the last attempt, or one that describes the failures of both transports
 */
export async function connectRemote(options: ConnectRemoteOptions): Promise<void> {
  const { config, preferences, signal } = options;
  const key = serverKey(config);
  const isFixed = config.transport === 'sse';
  const kind = isFixed ? 'sse' : preferences.first(key);
  try {
    await attemptRepeatedly(options, kind, MAX_ATTEMPTS);
  } catch (error) {
    // If a command aborted the attempt, the failure says nothing about the transport.
    if (signal.aborted || !(error instanceof PanelError)) throw error;
    preferences.forget(key);
    if (isFixed || !isOtherWorthTrying(kind, error)) throw error;
    await attemptOther(options, kind, error, key);
  }
}

/**
 * True if the other transport should be tried. If the remembered SSE transport fails, any protocol error is a reason to try
 * Streamable HTTP, because SSE may be the wrong choice for reasons other than an upgrade of the server.
 */
function isOtherWorthTrying(failed: RemoteTransportKind, error: PanelError): boolean {
  return nextStep(error) === 'other-transport' || (failed === 'sse' && error.code === 'PROTOCOL_ERROR');
}

async function attemptOther(
  options: ConnectRemoteOptions,
  failed: RemoteTransportKind,
  cause: PanelError,
  key: string,
): Promise<void> {
  const other = failed === 'http' ? 'sse' : 'http';
  try {
    // The fallback is a guess, so SSE gets only one attempt.
    await attemptRepeatedly(options, other, other === 'sse' ? 1 : MAX_ATTEMPTS);
    options.preferences.learn(key, other);
  } catch (error) {
    if (options.signal.aborted || !(error instanceof PanelError)) throw error;
    const [http, sse] = failed === 'http' ? [cause, error] : [error, cause];
    throw bothFailed(maskedUrl(options.config.url), { http, sse, last: error });
  }
}

async function attemptRepeatedly(
  options: ConnectRemoteOptions,
  kind: RemoteTransportKind,
  maxAttempts: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    options.onProgress();
    try {
      return await options.attempt(kind);
    } catch (error) {
      const isRepeatable = error instanceof PanelError && nextStep(error) === 'retry';
      if (!isRepeatable || attempt === maxAttempts || options.signal.aborted) throw error;
      const waitMs = waitBefore(attempt, error, options.random);
      if (waitMs >= options.leftMs()) throw error;
      await wait(options, waitMs);
      if (options.signal.aborted) throw error;
    }
  }
}

/** Returns the larger one of the server's `Retry-After` and a backoff, which is random between half and all of 500 ms × 2ⁿ. */
function waitBefore(attempt: number, { data }: PanelError, random: RandomSource): number {
  const ceilingMs = FIRST_BACKOFF_MS * 2 ** (attempt - 1);
  const backoffMs = ceilingMs / 2 + (random() * ceilingMs) / 2;
  const asked = data?.['retryAfterMs'];
  return Math.max(backoffMs, typeof asked === 'number' ? asked : 0);
}

async function wait({ clock, signal, onProgress }: ConnectRemoteOptions, waitMs: number): Promise<void> {
  const untilMs = clock.now() + waitMs;
  for (let leftMs = waitMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - clock.now()) {
    await delay(clock, Math.min(leftMs, WAIT_SLICE_MS), signal);
    onProgress();
  }
}
