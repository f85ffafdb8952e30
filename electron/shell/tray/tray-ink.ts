import type { Ink } from '../icons/tray-picture.ts';

/**
 * Ink of the tray icon. macOS colours it by itself. Windows tells whether its taskbar is dark. On Linux nobody does: the
 * panels of Xfce and GNOME are dark under light windows, so the icon has to be seen on both.
 */
export function inkFor(platform: NodeJS.Platform, isDark: boolean): Ink {
  if (platform === 'darwin') return 'black';
  if (platform === 'win32') return isDark ? 'white' : 'black';
  return 'both';
}
