import type { BrowserWindow } from 'electron';

/**
 * Brings a window to the front. Wayland does not report that a window is minimised and does not restore it for a program, but
 * shows new windows. So a window that the panel minimised itself is hidden first.
 * @param wasMinimised whether the panel minimised it, without a focus since
 */
export function bringBack(
  window: Pick<BrowserWindow, 'isMinimized' | 'restore' | 'hide' | 'show' | 'focus'>,
  wasMinimised: boolean,
): void {
  if (window.isMinimized()) window.restore();
  else if (wasMinimised) window.hide();
  window.show();
  window.focus();
}
