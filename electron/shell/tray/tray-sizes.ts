/** What panels draw at scale 1: Linux desktops 22 pixels, the others 16. */
const baseSizePx = (platform: NodeJS.Platform) => (platform === 'linux' ? 22 : 16);
/** Scales of screens that are common. macOS and Linux choose among the pictures of an icon by themselves. */
const SCALES = [1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** One picture of a tray icon: its size, and for which scale of the screen it stands. */
export interface TrayPictureSize {
  readonly scaleFactor: number;
  readonly sizePx: number;
}

/**
 * Pictures that a tray icon consists of. Electron hands Windows only the one for scale 1, which Windows then enlarges, so
 * that one is drawn there at the size of the screen with the taskbar.
 * @param screenScale of the primary screen
 */
export function trayPictureSizes(platform: NodeJS.Platform, screenScale: number): readonly TrayPictureSize[] {
  const sizeAt = (scale: number) => Math.round(baseSizePx(platform) * scale);
  if (platform === 'win32') return [{ scaleFactor: 1, sizePx: sizeAt(screenScale) }];
  return SCALES.map((scaleFactor) => ({ scaleFactor, sizePx: sizeAt(scaleFactor) }));
}
