import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Rules about colours: all that can differ between two themes of one page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const DIALOG = 'dialog[open]';

/**
 * Violations that axe finds in the page as it is, in its light and in its dark theme: one line per element,
 * `theme rule: element, what is wrong with it`. With a dialog open only the dialog is checked because the
 * rest is out of reach.
 * The page's content security policy stays in force: the driver evaluates axe as a debugger would, which no
 * policy forbids.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // The half megabyte of axe is read once per page.
  const isThere = await page.evaluate<boolean>('typeof axe === "object"');
  const isInDialog = (await page.locator(DIALOG).count()) > 0;
  const look = async (theme: 'light' | 'dark', narrow: (axe: AxeBuilder) => AxeBuilder) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
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
        return `${theme} ${id}: ${html.slice(0, 160)}, ${reasons.join('; ')}`;
      }),
    );
  };
  return [
    ...(await look('light', (axe) => axe.withTags(TAGS))),
    ...(await look('dark', (axe) => axe.withRules(COLOUR_RULES))),
  ];
}
