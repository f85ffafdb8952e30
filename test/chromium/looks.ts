import type { Page } from 'playwright-core';
import { takePicture } from '../e2e/support/pictures.ts';

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const;

/** Takes a picture of the view in each theme and in forced colours, where pictures are asked for. */
export async function takeLooks(page: Page, view: string): Promise<void> {
  for (const [look, media] of Object.entries(looks)) {
    await page.emulateMedia({ reducedMotion: 'reduce', ...media });
    await takePicture(page, `${view.replaceAll(/[^a-z]+/gi, '-')}-${look}`);
  }
  await page.emulateMedia(looks.light);
}
