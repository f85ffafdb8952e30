import type { SignInView } from '../../shared/sign-in.ts';
import { formatHourMinute } from './moments.ts';

/** State of a sign-in in a few words: "Signed in as ada until 14:20 · renews itself". */
export function signInWords({ state, account, until, renews }: SignInView): string {
  if (state === 'needed') return 'Sign in to go on';
  if (state === 'open') return 'Waiting for your answer in the browser';
  const who = account === undefined ? '' : ` as ${account}`;
  const end = until === undefined ? '' : ` until ${formatHourMinute(until)}`;
  return `Signed in${who}${end}${renews === true ? ' · renews itself' : ''}`;
}
