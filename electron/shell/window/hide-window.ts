import type { BrowserWindow } from 'electron';

type HiddenWindow = Pick<BrowserWindow, 'hide' | 'isDestroyed' | 'isFullScreen' | 'setFullScreen'> & {
  once(event: 'leave-full-screen', listener: () => void): unknown;
};

/**
 * Hides the window. On macOS a full-screen window leaves full screen first, because its space would stay behind, black and
 * empty.
 */
export function hideWindow(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide();
  window.once('leave-full-screen', () => {
    if (!window.isDestroyed()) window.hide();
  });
  window.setFullScreen(false);
}
