import type { BrowserWindow } from 'electron';

/**
 * Brings a window to the front. Wayland tells no program that its window is minimised and restores none for it, but
 * whatever comes anew is shown: so a window that the panel minimised itself is taken off the screen first.
 * @param wasMinimised by the panel, and nothing was heard of the window since
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
