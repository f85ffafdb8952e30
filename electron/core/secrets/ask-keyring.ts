import { isJsonObject } from '../../../shared/json-object.ts';
import type { Clock } from '../clock.ts';
import type { HelperProcess } from '../platform/helper-process.ts';
import type { AskKeyring } from './store-key.ts';
import type { KeyAnswer } from './store-state.ts';

/** Answer of the helper process to a question. After a write, `value` is what the keyring then contains. */
export type HelperAnswer = { readonly value: string | null } | { readonly failure: string };

interface KeyringAskerOptions {
  readonly clock: Clock;
  /** Starts the helper process, which runs `keyring-helper.ts` or its bundled form. */
  readonly startHelper: () => HelperProcess;
  /** Aborted when the panel quits, so that no helper outlives it. */
  readonly ended: AbortSignal;
}

/** Queries the keyring with a separate process for each question. The process is killed after its answer or its time limit. */
export function keyringAsker({ clock, startHelper, ended }: KeyringAskerOptions): AskKeyring {
  return (question, timeoutMs) =>
    new Promise((resolve) => {
      let helper: HelperProcess | undefined;
      const timer = clock.setTimeout(() => end({ kind: 'silent', waitedMs: timeoutMs }), timeoutMs);
      const quit = () => end({ kind: 'absent', reason: 'the panel is quitting' });
      const end = (answer: KeyAnswer) => {
        timer.dispose();
        ended.removeEventListener('abort', quit);
        helper?.kill();
        resolve(answer);
      };
      if (ended.aborted) return quit();
      ended.addEventListener('abort', quit);
      try {
        helper = startHelper();
        helper.onMessage((message) => end(answerIn(message)));
        helper.onEnd((reason) => end({ kind: 'absent', reason }));
        helper.send(question);
      } catch (error) {
        end({ kind: 'absent', reason: String(error) });
      }
    });
}

/**
 * Matches error messages from a keyring that exists but refuses access, such as "Couldn't access platform storage: … unlock
 * prompt was dismissed".
 */
const LOCKED = /platform storage|locked|dismissed|denied|cancel/i;
const MAX_REASON = 300;

function answerIn(message: unknown): KeyAnswer {
  if (!isJsonObject(message)) return { kind: 'absent', reason: 'its helper gave no answer' };
  const { value, failure } = message;
  if (typeof value === 'string') return { kind: 'found', value };
  if (typeof failure !== 'string') return { kind: 'none' };
  return { kind: LOCKED.test(failure) ? 'refused' : 'absent', reason: failure.slice(0, MAX_REASON) };
}
