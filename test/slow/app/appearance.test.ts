import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer, referenceServer } from '../../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { resize, running } from '../../e2e/support/driving.ts';
import { go } from '../../e2e/support/views.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { pressZoom, zoomBecomes } from '../../e2e/support/zoom.ts';

const panels = usePanels('all');
let panel: DrivenPanel;

const everything = referenceServer('everything', 'stdio');

beforeAll(async () => {
  panel = await panels.launch({ servers: { everything, other: fixtureServer() } });
  await running(panel, 'everything', 'other');
}, 120_000);

interface Choice {
  readonly name: string;
  readonly open: (page: Page) => Promise<unknown>;
  readonly chosen: string;
  readonly other: string;
}

const choices: readonly Choice[] = [
  {
    name: 'view of the navigation',
    open: (page) => go(page, '#/activity'),
    chosen: 'nav[aria-label="Views"] a[aria-label="Activity"]',
    other: 'nav[aria-label="Views"] a[aria-label="Clients"]',
  },
  {
    name: 'server of the navigation',
    open: (page) => go(page, '#/servers/everything'),
    chosen: 'nav[aria-label="Views"] a[href="#/servers/everything"]',
    other: 'nav[aria-label="Views"] a[href="#/servers/other"]',
  },
  {
    name: 'section of a page',
    open: (page) => go(page, '#/servers/everything'),
    chosen: 'nav[aria-label^="Sections"] a[data-words="Overview"]',
    other: 'nav[aria-label^="Sections"] a[data-words="Logs"]',
  },
  {
    name: 'segment',
    open: (page) => go(page, '#/settings/appearance'),
    chosen: '[role="radiogroup"][aria-label="Theme"] label[data-active]',
    other: '[role="radiogroup"][aria-label="Theme"] label:not([data-active])',
  },
  {
    name: 'tool of a server',
    open: async (page) => {
      await go(page, '#/servers/everything/tools');
      await page.getByRole('navigation', { name: 'Offer' }).getByRole('button').nth(1).click();
    },
    chosen: 'nav[aria-label="Offer"] button[aria-current="true"]',
    other: 'nav[aria-label="Offer"] button[data-entry]:not([aria-current])',
  },
  {
    name: 'command of the palette',
    open: (page) => page.keyboard.press('Control+k'),
    chosen: '[role="option"][aria-selected="true"]',
    other: '[role="option"][aria-selected="false"]',
  },
];

/** How an element looks but for its background: that is what forced colours leave. In the words of the page. */
const LOOK = `(element) => {
  const style = getComputedStyle(element);
  const edge = (side) =>
    ['width', 'style', 'color'].map((part) => style.getPropertyValue('border-' + side + '-' + part)).join(' ');
  const outline = style.outlineStyle === 'none' ? 'none' : style.outlineWidth + ' ' + style.outlineColor;
  return [style.color, outline, edge('top'), edge('bottom'), edge('left'), style.textDecorationLine].join('; ');
}`;

const look = (page: Page, selector: string): Promise<string> =>
  page.evaluate<string>(`(${LOOK})(document.querySelector(${JSON.stringify(selector)}))`);

describe('in forced colours', () => {
  it.each(choices)('shows the chosen $name by more than its background', async ({ open, chosen, other }) => {
    const { page } = panel;
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page);
    await page.locator(chosen).first().waitFor();
    const [lookOfChosen, lookOfOther] = [await look(page, chosen), await look(page, other)];
    await page.keyboard.press('Escape');
    await page.emulateMedia({ forcedColors: 'none' });
    expect(lookOfChosen).not.toBe('');
    expect(lookOfChosen).not.toBe(lookOfOther);
  });

  it('leaves boxes to tick as the system draws them', async () => {
    const { page } = panel;
    await page.emulateMedia({ forcedColors: 'active' });
    await go(page, '#/settings');
    const box = 'main input[type="checkbox"]';
    await page.locator(box).first().waitFor();
    const appearance = await page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(box)})).appearance`,
    );
    expect(appearance).not.toBe('none');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});

describe('what older runtimes give no variables to', () => {
  /** Ground of a part of an element, as the page computes it. */
  const groundOf = (selector: string, part: string) =>
    panel.page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(part)}).backgroundColor`,
    );

  it.each([
    { scheme: 'light', behind: 'rgba(16, 24, 40, 0.28)', hit: 'rgb(251, 233, 174)' },
    { scheme: 'dark', behind: 'rgba(0, 0, 0, 0.5)', hit: 'rgb(84, 70, 26)' },
  ] as const)(
    'has its colours in the $scheme theme: the ground behind a dialog, and hits in a log',
    async ({ scheme, behind, hit }) => {
      const { page } = panel;
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
      // The page of a server brings the colours of its logs.
      await go(page, '#/servers/everything/logs');
      await page.getByLabel('Search the logs').waitFor();
      await page.keyboard.press('Control+n');
      await page.locator('dialog[open]').waitFor();
      const found = {
        behind: await groundOf('dialog[open]', '::backdrop'),
        hit: await groundOf('body', '::highlight(log-hit)'),
        current: await groundOf('body', '::highlight(log-current-hit)'),
      };
      await page.keyboard.press('Escape');
      await page.emulateMedia({ colorScheme: null });
      expect(found).toEqual({ behind, hit, current: hit });
    },
  );
});

describe('the faces', () => {
  it('come with the app, for words and for code', async () => {
    const { page } = panel;
    await go(page, '#/servers/everything');
    const loaded = () =>
      page.evaluate<string[]>(
        `[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)`,
      );
    await waitUntil('both faces to be loaded', async () => {
      const families = (await loaded()).map((family) => family.replaceAll('"', ''));
      return families.includes('Inter Variable') && families.includes('JetBrains Mono Variable');
    });
  });
});

describe('the zoom', () => {
  const press = (keyCode: '=' | '-' | '0') => pressZoom(panel, keyCode);
  const isAt = (percent: number, of = panel) => zoomBecomes(of, percent);

  it('enlarges the window by its keys, and shrinks it', async () => {
    for (const percent of [110, 125, 150, 175, 200, 200]) {
      await press('=');
      await isAt(percent);
    }
    await press('0');
    await isAt(100);
    await press('-');
    await isAt(90);
    await press('=');
    await press('=');
    await isAt(110);
  });

  it('has nothing cut off sideways at 200 %', async () => {
    const { page } = panel;
    await resize(panel, 1280, 800);
    for (let step = 0; step < 4; step += 1) await press('=');
    await isAt(200);
    for (const hash of [
      ...['#/servers', '#/servers/everything', '#/usage', '#/compare/everything', '#/activity'],
      ...['#/clients', '#/settings'],
    ]) {
      await go(page, hash);
      await page.locator('main h1').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), hash).toBe(true);
      const right = await page.evaluate<number>(
        `document.querySelector('main').getBoundingClientRect().right`,
      );
      expect(right, hash).toBeLessThanOrEqual(641);
    }
  });

  it('comes back at the next start', async () => {
    const { home } = panel;
    await isAt(200);
    await panel.terminate();
    const again = await panels.launch({ home });
    await isAt(200, again);
    await again.page.reload();
    await isAt(200, again);
  });
});
