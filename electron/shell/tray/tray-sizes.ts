/** Icon size of desktop panels at scale 1: 22 pixels on Linux, else 16. */
const baseSizePx = (platform: NodeJS.Platform) => (platform === 'linux' ? 22 : 16);
/** Common scales of screens. macOS and Linux choose among the pictures of an icon by themselves. */
const SCALES = [1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** Size of one picture of a tray icon, and the screen scale that the picture is for. */
export interface TrayPictureSize {
  readonly scaleFactor: number;
  readonly sizePx: number;
}

/**
 * Returns the sizes of a tray icon's pictures. Electron passes Windows only the picture for scale 1, which Windows then
 * enlarges, so it is drawn there at the size of the taskbar's screen. @param screenScale scale of the primary screen
 */
export function trayPictureSizes(platform: NodeJS.Platform, screenScale: number): readonly TrayPictureSize[] {
  const sizeAt = (scale: number) => Math.round(baseSizePx(platform) * scale);
  if (platform === 'win32') return [{ scaleFactor: 1, sizePx: sizeAt(screenScale) }];
  return SCALES.map((scaleFactor) => ({ scaleFactor, sizePx: sizeAt(scaleFactor) }));
}
