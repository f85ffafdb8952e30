import type { Ink } from '../icons/tray-picture.ts';

/**
 * Returns the ink of the tray icon. macOS colours it by itself. Windows reports whether its taskbar is dark. Linux does not:
 * the panels of Xfce and GNOME are dark under light windows, so the icon must be visible on both.
 */
export function inkFor(platform: NodeJS.Platform, isDark: boolean): Ink {
  if (platform === 'darwin') return 'black';
  if (platform === 'win32') return isDark ? 'white' : 'black';
  return 'both';
}
