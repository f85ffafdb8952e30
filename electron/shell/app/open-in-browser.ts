import { shell } from 'electron';
import { isSafeAddress } from '../../core/sign-in/guarded-fetch.ts';

/** Opens a page in the person's browser: https, and http on this machine. Whatever else is asked for is not opened. */
export function openInBrowser(url: string): void {
  if (isSafeAddress(url)) void shell.openExternal(new URL(url).href).catch(() => undefined);
}
