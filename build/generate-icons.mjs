// Regenerates the application's icons: `node build/generate-icons.mjs` (Node 22.18 or later, which reads TypeScript).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawAppPicture } from '../electron/shell/icons/app-picture.ts';
import { encodePng } from '../electron/shell/icons/raster.ts';
import { encodeIcns, encodeIco } from './icon-files.mjs';

const here = import.meta.dirname;
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];
const png = (/** @type {number} */ size) => encodePng(drawAppPicture(size));

writeFileSync(join(here, 'icon.icns'), encodeIcns(png));
writeFileSync(join(here, 'icon.ico'), encodeIco(png));
for (const size of linuxSizes) writeFileSync(join(here, 'icons', `${size}x${size}.png`), png(size));
