import { clipboard, ClipboardItem, nativeImage, type NativeImage } from 'electron';

/** Clipboard of the older Electron that stands in where the present one is out of reach. */
interface OlderClipboard {
  writeImage(image: NativeImage): void;
}

/** Copies a picture, a PNG in base64, to the clipboard of the system. */
export async function copyPicture(png: string): Promise<void> {
  const bytes = Buffer.from(png, 'base64');
  const { writeImage } = clipboard as unknown as Partial<OlderClipboard>;
  if (writeImage !== undefined) return writeImage.call(clipboard, nativeImage.createFromBuffer(bytes));
  await clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
}
