import { AxeBuilder } from '@axe-core/playwright';
import type { ElectronApplication, Page } from 'playwright-core';
import { pressZoom, zoomBecomes } from './zoom.ts';

/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Rules about colours: all that can differ between two themes of one page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const DIALOG = 'dialog[open]';
/** Steps of the zoom from 100 to 200 %. */
const STEPS_TO_DOUBLE = 5;

interface Driven {
  readonly app: ElectronApplication;
  readonly page: Page;
}

type Media = Parameters<Page['emulateMedia']>[0];
type Narrow = (axe: AxeBuilder) => AxeBuilder;

const onlyColours: Narrow = (axe) => axe.withRules(COLOUR_RULES);
const allRules: Narrow = (axe) => axe.withTags(TAGS);
const allButColours: Narrow = (axe) => allRules(axe).disableRules(COLOUR_RULES);

/** Brings everything in the window to that size, in percent, and resolves once it has it. */
type ZoomTo = (percent: 100 | 200) => Promise<void>;

/** Violations in the window of the app, as `findViolationsIn` tells them. */
export const findViolations = (panel: Driven): Promise<string[]> =>
  findViolationsIn(panel.page, async (percent) => {
    if (percent === 200) await pressZoom(panel, '=', STEPS_TO_DOUBLE);
    else await pressZoom(panel, '0');
    await zoomBecomes(panel, percent);
  });

/**
 * Violations that axe finds in the page as it is, one line per element, `look rule: element, what is wrong with it`: in the
 * light and the dark theme, and in forced colours at twice the size; with them every text below 12 px, and every text that
 * keeps its own colour where colours are forced. With a dialog open axe checks only the dialog because the rest is out of
 * reach.
 * The page's content security policy stays in force: the driver evaluates axe as a debugger would, which no
 * policy forbids.
 */
export async function findViolationsIn(page: Page, zoomTo: ZoomTo): Promise<string[]> {
  const found = [
    ...(await look(page, 'light', { colorScheme: 'light' }, allRules)),
    ...(await findSmallText(page)),
    ...(await look(page, 'dark', { colorScheme: 'dark' }, onlyColours)),
  ];
  await zoomTo(200);
  const forced = [
    ...(await look(page, 'forced 200 %', { colorScheme: 'light', forcedColors: 'active' }, allButColours)),
    ...(await findOwnColours(page)),
  ];
  await page.emulateMedia({ forcedColors: 'none' });
  await zoomTo(100);
  return [...found, ...forced];
}

async function look(page: Page, name: string, media: Media, narrow: Narrow): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none', ...media });
  // The half megabyte of axe is read once per page.
  const isThere = await page.evaluate<boolean>('typeof axe === "object"');
  const isInDialog = (await page.locator(DIALOG).count()) > 0;
  // Passes are left out because telling of them takes half the time. Without the legacy mode axe would join
  // the results of several frames in a new page, which Electron has none of.
  const axe = narrow(
    new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) })
      .setLegacyMode(true)
      .options({ resultTypes: ['violations'], preload: false }),
  );
  const { violations } = await (isInDialog ? axe.include(DIALOG) : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const reasons = [...any, ...all, ...none].map(({ message }) => message);
      return `${name} ${id}: ${html.slice(0, 160)}, ${reasons.join('; ')}`;
    }),
  );
}

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
const findSmallText = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`${SCRIPT}.find('small text', ({ fontSize }) => parseFloat(fontSize) < 12)`);

/**
 * Texts that keep a colour of their own where the system forces its colours, other than the system's for what is chosen: one
 * line per element. This is asked instead of axe's contrast, because the page tells axe the colours that were asked for, and
 * not those that are painted.
 */
const findOwnColours = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const chosen = document.body.appendChild(document.createElement('span'));
    chosen.style.cssText = 'color: HighlightText; forced-color-adjust: none';
    const { color: ofChosen } = getComputedStyle(chosen);
    const isOwn = ({ forcedColorAdjust, color }) => forcedColorAdjust === 'none' && color !== ofChosen;
    const found = ${SCRIPT}.find('own colour', isOwn);
    chosen.remove();
    return found;
  })()`);
