import type { Page } from 'playwright-core';

/** Script that runs in the page, as text because these files know no DOM. Elements with words of their own that are shown. */
const SCRIPT = `(() => {
  const isField = (element) => ['input', 'textarea', 'select'].includes(element.localName);
  const hasOwnText = (element) =>
    isField(element) || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  const isShown = (element) => element.getClientRects().length > 0;
  const find = (name, isWrong) => [...document.querySelectorAll('body, body *')]
    .filter((element) => hasOwnText(element) && isShown(element) && isWrong(getComputedStyle(element)))
    .map((element) => name + ': ' + element.outerHTML.slice(0, 160));
  return { find };
})()`;

/** Texts smaller than 12 px, the least of the scale: one line per element. */
export const findSmallText = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`${SCRIPT}.find('small text', ({ fontSize }) => parseFloat(fontSize) < 12)`);

/**
 * Texts that keep a colour of their own where the system forces its colours, other than the system's for what is chosen: one
 * line per element. This is asked instead of axe's contrast, because the page tells axe the colours that were asked for, and
 * not those that are painted.
 */
export const findOwnColours = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const chosen = document.body.appendChild(document.createElement('span'));
    chosen.style.cssText = 'color: HighlightText; forced-color-adjust: none';
    const { color: ofChosen } = getComputedStyle(chosen);
    const isOwn = ({ forcedColorAdjust, color }) => forcedColorAdjust === 'none' && color !== ofChosen;
    const found = ${SCRIPT}.find('own colour', isOwn);
    chosen.remove();
    return found;
  })()`);
