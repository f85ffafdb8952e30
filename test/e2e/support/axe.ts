import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Those of them that look at colours: all that can differ between two themes of one page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const DIALOG = 'dialog[open]';

/**
 * What axe has against the page as it is, in its light and in its dark theme: one line per element,
 * `theme rule: element, what is wrong with it`. With a dialog open it is the dialog, for the rest is out of reach.
 *
 * The page's content security policy stays in force: the driver evaluates axe as a debugger would, which no policy forbids.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // Its half a megabyte is read once per page.
  const isThere = await page.evaluate<boolean>('typeof axe === "object"');
  const isInDialog = (await page.locator(DIALOG).count()) > 0;
  const look = async (theme: 'light' | 'dark', narrow: (axe: AxeBuilder) => AxeBuilder) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    // What passes is of no interest here, and telling of it takes half the time. Without the legacy mode it would join the
    // results of several frames in a new page, which Electron has none of.
    const axe = narrow(
      new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) })
        .setLegacyMode(true)
        .options({ resultTypes: ['violations'], preload: false }),
    );
    const { violations } = await (isInDialog ? axe.include(DIALOG) : axe).analyze();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any, all, none }) => {
        const reasons = [...any, ...all, ...none].map(({ message }) => message);
        return `${theme} ${id}: ${html.slice(0, 160)}, ${reasons.join('; ')}`;
      }),
    );
  };
  return [
    ...(await look('light', (axe) => axe.withTags(TAGS))),
    ...(await look('dark', (axe) => axe.withRules(COLOUR_RULES))),
  ];
}
