import { drawStack, pictureHeight, type StackPicture } from './stack-picture.ts';

/** Pixels for each of the window's, so that a picture is sharp where it is printed or enlarged. */
const SHARPNESS = 2;

/** PNG of a stack in the colours of the window, in Base64. */
export function pictureFile(picture: StackPicture): string {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width * SHARPNESS;
  canvas.height = pictureHeight(picture) * SHARPNESS;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This system gives no canvas to draw the picture on.');
  pen.scale(SHARPNESS, SHARPNESS);
  const colours = getComputedStyle(document.documentElement);
  drawStack(pen, picture, (name) => colours.getPropertyValue(name).trim());
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}
