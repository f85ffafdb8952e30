// Draws the application's icons anew: `node build/generate-icons.mjs` (Node 22.18 or later, which reads TypeScript).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawAppPicture } from '../electron/shell/icons/app-picture.ts';
import { encodePng } from '../electron/shell/icons/png.ts';

const here = import.meta.dirname;
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];

writeFileSync(join(here, 'icon.png'), encodePng(drawAppPicture(1024)));
for (const size of linuxSizes) {
  writeFileSync(join(here, 'icons', `${size}x${size}.png`), encodePng(drawAppPicture(size)));
}
