import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { sharedPanel, usePanels } from './harness.ts';
import { findViolations } from './support/axe.ts';
import { button, running, saveInto } from './support/driving.ts';
import { waitUntil } from './support/wait-until.ts';

const panels = usePanels('all');
const panelWith = sharedPanel(panels);
const SECRET = 'h8Jk3mQz7TvW2xYb';

// The timeout is long because axe looks at the dialog in both themes and at twice the size.
describe('diagnostics', { timeout: 120_000 }, () => {
  it('of a server are shown, and saved without what was left out and without its secrets', async () => {
    const folder = panels.tempFolder('diagnostics-');
    const github = {
      ...fixtureServer(`--stderr-text=connected with ${SECRET}`),
      env: { SERVICE_TOKEN: SECRET },
    };
    const panel = await panelWith({ github, other: fixtureServer() });
    const { page } = panel;
    await saveInto(panel, folder);
    await running(panel, 'github');
    await button(panel, 'More for github').click();
    await page.getByRole('menuitem', { name: 'Diagnostics…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Diagnostics of github' });
    await dialog.getByRole('button', { name: 'Show Configuration' }).click();
    await dialog.getByText('env SERVICE_TOKEN').waitFor();
    expect(await findViolations(panel)).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'System' }).uncheck();
    await dialog.getByRole('button', { name: 'Save…' }).click();
    await dialog.getByText(/^Saved to /).waitFor();
    const [name = ''] = readdirSync(folder);
    expect(name).toMatch(/^diagnostics-github-\d{4}(?:-\d\d){4}\.md$/);
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text).toContain('connected with');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('## System');
    expect(text).not.toContain('other');
  });

  it('of everything are copied from the settings', async () => {
    const panel = await panelWith({ one: fixtureServer(), two: fixtureServer() });
    const { app, page } = panel;
    await page.evaluate(`location.hash = '#/settings/diagnostics'`);
    await page.getByRole('button', { name: 'Copy or save diagnostics…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Diagnostics' });
    await dialog.getByRole('button', { name: 'Copy diagnostics' }).click();
    const copied = () => app.evaluate(({ clipboard }) => clipboard.readText());
    await waitUntil('the text to be copied', async () => (await copied()).includes('## Configuration'));
    const text = await copied();
    for (const name of ['one', 'two']) expect(text).toContain(`${name} (stdio)`);
  });
});
