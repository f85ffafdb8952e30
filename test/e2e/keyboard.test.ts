import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer, referenceServer } from '../fixtures/fixture-server.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { dialog, inState as stateOfRow, row } from './support/driving.ts';
import { focusStop, tabAround, tabTo } from './support/focus.ts';
import { waitUntil } from './support/wait-until.ts';

/** Tests with the keyboard alone: nothing here clicks, and nothing sets the focus. */

const panels = usePanels('all');
let panel: DrivenPanel;
let page: Page;

const fixture = fixtureServer();
const servers = {
  everything: referenceServer('everything', 'stdio'),
  missing: { command: '/no/such/program' },
  one: fixture,
  // It starts for as long as the tests take.
  starts: { ...fixtureServer('--never-initialize'), panel: { startTimeoutMs: 600_000 } },
};

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const focusIs = (words: string) =>
  waitUntil(`the focus on "${words}"`, async () => {
    const stop = await focusStop(page);
    return stop.words === words ? stop : undefined;
  });
const inState = (name: string, word: string) => stateOfRow(panel, name, word);
const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const dialogIs = (name: string) => dialog(panel, name).waitFor();
const noDialog = () => page.getByRole('dialog').waitFor({ state: 'detached' });
const serverOf = async (name: string) =>
  (await panel.snapshot()).servers.find((server) => server.name === name);
/** Opens the page of a server from the overview. */
async function openServer(name: string): Promise<void> {
  await press('Control+1');
  await tabTo(page, `a Open ${name}`);
  await press('Enter');
  await heading(name);
}

describe('the keyboard alone', () => {
  beforeAll(async () => {
    // Questions are asked because somebody is there to answer.
    panel = await panels.launch({ servers, env: { MCP_CONTROL_PANEL_TEST: '' } });
    page = panel.page;
    // Motion is reduced because what fades in would look unchanged at first.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await inState('one', 'Running');
    await inState('everything', 'Running');
    await inState('missing', 'Failed');
  });

  /** The tiles get their stops with the first figures. */
  const hasTiles = async () => {
    for (const unit of [/MiB$/, /%$/])
      await page
        .locator('li > a[href^="#/servers/"]')
        .filter({ hasText: unit })
        .first()
        .waitFor({ state: 'attached' });
  };

  it('goes round every view, leaves out nothing that can be used, and shows where it is', async () => {
    const views: Record<string, () => Promise<unknown>> = {
      overview: async () => {
        await press('Control+1');
        await hasTiles();
        // The card of a failed server joins the stops a moment after its state.
        await page.getByRole('link', { name: 'Details of missing' }).waitFor();
      },
      usage: async () => {
        await press('Control+2');
        await page.getByRole('table', { name: 'Memory by server' }).waitFor();
      },
      compare: async () => {
        await tabTo(page, 'a Compare servers…');
        await press('Enter');
        await heading('Compare');
      },
      logs: async () => {
        await press('Control+5');
        await page.getByRole('log').getByText('tools/list').first().waitFor();
      },
      activity: async () => {
        await press('Control+3');
        await heading('Activity');
        // Its code and its events come after the page has gone there.
        await page.getByText('panel started', { exact: true }).first().waitFor();
      },
      settings: async () => {
        await press('Control+,');
        await heading('Settings');
      },
      'server page': () => openServer('one'),
      tools: async () => {
        await openServer('everything');
        await tabTo(page, 'a Tools');
        await press('Enter');
        await page.getByRole('navigation', { name: 'Offer' }).waitFor();
      },
      restarts: async () => {
        await openServer('missing');
        await press('Alt+6');
        await page.getByRole('heading', { name: 'Stops and restarts' }).waitFor();
      },
      add: async () => {
        await press('Control+1', 'Control+n');
        await dialogIs('Add a server');
      },
      import: async () => {
        await press('Escape', 'Control+i');
        await dialogIs('Import servers');
        // The search for clients may take a moment, and its result must be reachable, too.
        await page.getByRole('button', { name: 'paste it' }).waitFor();
      },
      diagnostics: async () => {
        await press('Escape', 'Control+,');
        await tabTo(page, 'a Diagnostics');
        await press('Enter');
        await tabTo(page, 'button Copy or save diagnostics…');
        await press('Enter');
        await dialogIs('Diagnostics');
        await page.getByRole('button', { name: 'Copy diagnostics' }).waitFor();
      },
    };
    for (const [name, open] of Object.entries(views)) {
      await open();
      const { unseen, missed, count } = await tabAround(page);
      expect({ name, unseen, missed }).toEqual({ name, unseen: [], missed: [] });
      expect(count, name).toBeGreaterThan(1);
    }
    await press('Escape');
    await noDialog();
  });

  it('would find out what cannot be reached, and where nothing shows the focus', async () => {
    await press('Control+1');
    await page.getByRole('table', { name: 'Servers' }).waitFor();
    await hasTiles();
    await page.evaluate(`{
      const faults = Object.assign(document.createElement('p'), { id: 'faults' });
      const add = (text) => {
        const holder = faults.appendChild(document.createElement('span'));
        return holder.appendChild(Object.assign(document.createElement('button'), { textContent: text }));
      };
      add('no ring').style.outline = 'none';
      add('out of reach').parentElement.inert = true;
      document.querySelector('main').prepend(faults);
    }`);
    const { unseen, missed } = await tabAround(page);
    await page.evaluate(`document.getElementById('faults').remove()`);
    expect({ unseen, missed }).toEqual({ unseen: ['button no ring'], missed: ['button out of reach'] });
  });

  it('stops, starts and restarts a server from its row', async () => {
    await press('Control+1');
    await tabTo(page, 'button Stop one');
    await press('Enter');
    await inState('one', 'Stopped');
    await focusIs('a Open one');
    await tabTo(page, 'button Start one');
    await press('Space');
    await inState('one', 'Running');
    const before = (await serverOf('one'))?.generation ?? 0;
    await focusIs('a Open one');
    await tabTo(page, 'button Restart one');
    await press('Enter');
    await waitUntil('a new run', async () => {
      const server = await serverOf('one');
      return server?.state.kind === 'running' && server.generation === before + 1;
    });
    await press('Control+.');
    await inState('one', 'Stopped');
    await press('Control+Enter');
    await inState('one', 'Running');
  });

  it('walks from row to row, opens a page and every section of it, and comes back to the row', async () => {
    await press('Control+1');
    await tabTo(page, 'a Open everything');
    await press('ArrowDown');
    await focusIs('a Open missing');
    await press('ArrowUp', 'Enter');
    await heading('everything');
    expect((await focusIs('h1 everything')).isVisible).toBe(true);
    const sections = page.getByRole('navigation', { name: 'Sections of everything' });
    for (const name of await sections.getByRole('link').allTextContents()) {
      await tabTo(page, `a ${name}`);
      await press('Enter');
      await sections.getByRole('link', { name }).and(page.locator('[aria-current="page"]')).waitFor();
    }
    await press('Escape');
    await focusIs('a Open everything');
  });

  it('calls a tool and reads its result', async () => {
    await openServer('everything');
    await tabTo(page, 'a Tools');
    await press('Enter');
    await tabTo(page, 'button echo');
    await press('Enter');
    await tabTo(page, 'textarea message');
    await page.keyboard.type('hello');
    await press('Control+Enter');
    await page.getByText('Answered').waitFor();
    await tabTo(page, 'button Copy the whole result');
    // Escape leaves a field first, and then the page.
    await tabTo(page, 'textarea message', 'Shift+Tab');
    await press('Escape');
    await heading('everything');
    await press('Escape');
    await focusIs('a Open everything');
  });

  it('opens what lies behind an event, and closes it', async () => {
    await press('Control+3');
    await heading('Activity');
    const opened = page.getByRole('log').locator('button[aria-expanded="true"]');
    const closed = page.getByRole('log').locator('button[aria-expanded="false"]');
    await closed.first().waitFor();
    const words = `button ${((await closed.first().textContent()) ?? '').trim().slice(0, 60)}`;
    await tabTo(page, words);
    await press('Enter');
    await opened.waitFor();
    await tabTo(page, 'button Copy the details');
    await tabTo(page, words, 'Shift+Tab');
    await press('Space');
    await opened.waitFor({ state: 'detached' });
    await press('Escape');
    await page.getByRole('table', { name: 'Servers' }).waitFor();
  });

  it('adds, edits and removes a server', async () => {
    await press('Control+1', 'Control+n');
    await focusIs('input Name');
    await page.keyboard.type('typed');
    await tabTo(page, 'input Command');
    await page.keyboard.type(fixture.command);
    await tabTo(page, 'textarea Arguments');
    await page.keyboard.insertText(fixture.args.join('\n'));
    await tabTo(page, 'button Add');
    await press('Enter');
    await inState('typed', 'Running');
    await focusIs('a Open typed');

    await press('Control+e');
    await dialogIs('Edit typed');
    await tabTo(page, 'button Add variable');
    await press('Enter');
    await focusIs('input Name of variable 1');
    await page.keyboard.type('GREETING');
    await tabTo(page, 'button Save and restart');
    await press('Enter');
    await noDialog();
    await waitUntil('a second run', async () => (await serverOf('typed'))?.generation === 2);
    await focusIs('a Open typed');

    await tabTo(page, 'button More for typed');
    await press('Enter');
    expect((await focusIs('menuitem Open logsCtrl+L')).isVisible).toBe(true);
    await press('End');
    expect((await focusIs('menuitem RemoveCtrl+Backspace')).isVisible).toBe(true);
    await press('Enter');
    await focusIs('button Keep it');
    await press('Escape');
    await noDialog();
    await focusIs('button More for typed');
    await press('Enter');
    await focusIs('menuitem Open logsCtrl+L');
    await press('Escape');
    await focusIs('button More for typed');
    await press('Enter', 'End', 'Enter');
    await focusIs('button Keep it');
    await tabTo(page, 'button Remove typed');
    await press('Enter');
    await row(panel, 'typed').waitFor({ state: 'detached' });
    expect(await serverOf('typed')).toBeUndefined();
    // Focus is on the next row because the removed row took it along.
    expect((await focusIs('a Open starts')).isVisible).toBe(true);
  });

  it('searches, filters and groups', async () => {
    await press('Control+1', '/');
    await focusIs('input Search servers');
    // Commands are searched, too: "one" stands in the folder of many a clone.
    await page.keyboard.type('missing');
    await row(panel, 'one').waitFor({ state: 'detached' });
    await press('ArrowDown');
    await focusIs('a Open missing');
    await press('Control+f', 'Escape');
    await inState('one', 'Running');
    await press('Control+Shift+F');
    await focusIs('select Filter');
    await press('ArrowDown');
    await page.getByText(/of 4 shown/).waitFor();
    await press('Escape');
    await page.getByText(/of 4 shown/).waitFor({ state: 'detached' });
    await press('Control+Shift+G', 'ArrowDown');
    await page.getByRole('rowgroup', { name: /./ }).first().waitFor();
    await press('Escape');
  });

  it('changes a setting and the theme', async () => {
    const theme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    await press('Control+1');
    await tabTo(page, 'a Settings');
    await press('Enter');
    await heading('Settings');
    await tabTo(page, 'a Notifications');
    await press('Enter');
    await tabTo(page, 'input A server was over a limit');
    await press('Space');
    await page.getByText('Saved').first().waitFor();
    // A search leads to the field itself.
    await press('Control+f');
    await page.keyboard.type('theme');
    await press('ArrowDown', 'Enter');
    await focusIs('input System');
    await press('ArrowLeft');
    await focusIs('input Dark');
    await waitUntil('the dark theme', async () => (await theme()) === 'dark');
    await press('Control+Shift+L');
    await waitUntil('the light theme', async () => (await theme()) === 'light');
    // The scheme goes to "as the system", which is light, and on to the one that looks different.
    await press('Control+Shift+L', 'Control+Shift+L');
    await waitUntil('the dark theme', async () => (await theme()) === 'dark');
    await press('Escape');
    await page.getByRole('table', { name: 'Servers' }).waitFor();
  });

  it('reaches everything by name, and gives the focus back when it is not wanted', async () => {
    await press('Control+1');
    await tabTo(page, 'a Open one');
    await press('Control+k');
    expect((await focusIs('combobox Command')).isVisible).toBe(true);
    await press('Tab');
    await focusIs('combobox Command');
    await press('Escape');
    await noDialog();
    await focusIs('a Open one');
    for (const key of ['n', 'i']) {
      await press(`Control+${key}`);
      await page.getByRole('dialog').waitFor();
      await press('Escape');
      await noDialog();
      await focusIs('a Open one');
    }
    await press('Control+k');
    await page.keyboard.type('activity');
    await press('Enter');
    await heading('Activity');
    await press('Escape');
    await page.getByRole('table', { name: 'Servers' }).waitFor();
  });

  it('sees nothing move where motion is to be reduced', async () => {
    const moving = () =>
      page.evaluate<string[]>(
        `document.getAnimations().filter(({ playState }) => playState === 'running').map(({ effect }) => effect.target.className.baseVal ?? effect.target.className)`,
      );
    await press('Control+1');
    await inState('starts', 'Starting');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await moving()).not.toEqual([]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await moving()).toEqual([]);
    await openServer('everything');
    await tabTo(page, 'a Tools');
    await press('Enter');
    await tabTo(page, 'button trigger-long-running-operation');
    await press('Enter');
    await tabTo(page, 'button Call trigger-long-running-operation');
    await press('Enter');
    await page.getByRole('progressbar').waitFor();
    expect(await moving()).toEqual([]);
  });
});
