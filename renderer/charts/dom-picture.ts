/** Attribute of elements that exist only for the pointer or the keyboard and are left out of pictures. */
export const NOT_IN_PICTURES = 'data-not-in-pictures';

/** Pixels of the picture per CSS pixel, so that a picture stays sharp when printed or enlarged. */
const SHARPNESS = 2;
const HEAD_PX = 36;
const MARGIN_PX = 16;

/**
 * Returns a PNG in Base64 of all shapes and text below an element, in the colours of the app window, with `words` as the
 * heading. The picture is made from the DOM, because a second renderer for the same charts would diverge from the first.
 */
export function domPicture(root: HTMLElement, words: string): string {
  const { width, height } = root.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width) * SHARPNESS;
  canvas.height = Math.ceil(height + HEAD_PX) * SHARPNESS;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This system gives no canvas to draw the picture on.');
  const style = getComputedStyle(document.body);
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const scale = new DOMMatrix().scale(SHARPNESS);
  pen.setTransform(scale);
  pen.font = `600 16px ${style.fontFamily}`;
  pen.fillStyle = style.color;
  pen.fillText(words, MARGIN_PX, 24);
  const { left, top } = root.getBoundingClientRect();
  const toPicture = scale.translate(-left, HEAD_PX - top);
  drawAll(pen, root, toPicture);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}

function drawAll(pen: CanvasRenderingContext2D, root: HTMLElement, toPicture: DOMMatrix): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && isLeftOut(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  while (walker.nextNode() !== null) {
    const node = walker.currentNode;
    pen.save();
    if (node instanceof SVGGraphicsElement) drawShape(pen, node, toPicture);
    else if (node instanceof HTMLElement) drawGround(pen, node, toPicture);
    else if (node instanceof Text) drawText(pen, node, toPicture);
    pen.restore();
  }
}

const isLeftOut = (element: Element): boolean =>
  element.hasAttribute(NOT_IN_PICTURES) || ['clipPath', 'defs', 'style'].includes(element.tagName);

function drawShape(pen: CanvasRenderingContext2D, shape: SVGGraphicsElement, toPicture: DOMMatrix): void {
  const path = pathOf(shape);
  const place = shape.getScreenCTM();
  if (path === undefined || place === null) return;
  pen.setTransform(toPicture.multiply(place));
  clipLike(pen, shape);
  const style = getComputedStyle(shape);
  const opacity = opacityOf(shape);
  if (style.fill !== 'none') {
    pen.globalAlpha = opacity * Number(style.fillOpacity);
    pen.fillStyle = style.fill;
    pen.fill(path);
  }
  if (style.stroke === 'none') return;
  pen.globalAlpha = opacity * Number(style.strokeOpacity);
  pen.strokeStyle = style.stroke;
  pen.lineWidth = Number.parseFloat(style.strokeWidth);
  pen.setLineDash(
    style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(',').map(Number.parseFloat),
  );
  pen.stroke(path);
}

function pathOf(shape: SVGGraphicsElement): Path2D | undefined {
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute('d') ?? '');
  if (shape instanceof SVGLineElement) {
    const [x1, y1, x2, y2] = [shape.x1, shape.y1, shape.x2, shape.y2].map(({ baseVal }) => baseVal.value);
    return new Path2D(`M${x1} ${y1}L${x2} ${y2}`);
  }
  const path = new Path2D();
  if (shape instanceof SVGCircleElement) {
    path.arc(shape.cx.baseVal.value, shape.cy.baseVal.value, shape.r.baseVal.value, 0, 2 * Math.PI);
    return path;
  }
  if (!(shape instanceof SVGRectElement)) return undefined;
  const [x, y, width, height] = [shape.x, shape.y, shape.width, shape.height].map(
    ({ baseVal }) => baseVal.value,
  );
  path.rect(x!, y!, width!, height!);
  return path;
}

/** Clips the canvas to the same rectangle to which the page clips the shape. */
function clipLike(pen: CanvasRenderingContext2D, shape: SVGGraphicsElement): void {
  const name = shape.closest('[clip-path]')?.getAttribute('clip-path');
  const id = name === null || name === undefined ? undefined : /^url\(["']?#(.*?)["']?\)$/.exec(name)?.[1];
  const clip = id === undefined ? null : document.getElementById(id)?.querySelector('rect');
  const path = clip == null ? undefined : pathOf(clip);
  if (path !== undefined) pen.clip(path);
}

function drawGround(pen: CanvasRenderingContext2D, element: HTMLElement, toPicture: DOMMatrix): void {
  const { backgroundColor } = getComputedStyle(element);
  const { left, top, width, height } = element.getBoundingClientRect();
  pen.setTransform(toPicture);
  pen.globalAlpha = opacityOf(element);
  pen.fillStyle = backgroundColor;
  pen.fillRect(left, top, width, height);
}

/** Draws a line of text at its position on the page, cut off at the point where its element cuts it off. */
function drawText(pen: CanvasRenderingContext2D, text: Text, toPicture: DOMMatrix): void {
  const parent = text.parentElement;
  if (parent === null || text.data.trim() === '') return;
  const range = document.createRange();
  range.selectNodeContents(text);
  const place = range.getBoundingClientRect();
  const style = getComputedStyle(parent);
  pen.setTransform(toPicture);
  pen.globalAlpha = opacityOf(parent);
  if (style.overflow !== 'visible') {
    const { left, top, width, height } = parent.getBoundingClientRect();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
  }
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  pen.fillStyle = parent instanceof SVGElement ? style.fill : style.color;
  pen.textBaseline = 'middle';
  // Canvas does not support tabular figures. Right-aligned numbers are drawn from their right edge, so that they stay aligned
  // in a column.
  const isRight = style.textAlign === 'right' || style.textAlign === 'end';
  pen.textAlign = isRight ? 'right' : 'left';
  const [x, y] = [isRight ? place.right : place.left, place.top + place.height / 2];
  if (parent instanceof SVGElement && style.stroke !== 'none') {
    // Text over a curve has an outline in the background colour.
    pen.lineWidth = Number.parseFloat(style.strokeWidth);
    pen.strokeStyle = style.stroke;
    pen.strokeText(text.data, x, y);
  }
  pen.fillText(text.data, x, y);
}

/** Returns the opacity of an element, multiplied by that of its ancestors. */
function opacityOf(element: Element): number {
  let opacity = 1;
  for (let one: Element | null = element; one !== null; one = one.parentElement)
    opacity *= Number(getComputedStyle(one).opacity);
  return opacity;
}
