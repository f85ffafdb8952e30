import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readmeBlocks, type ReadmeBlock } from '../../fixtures/readme-blocks.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';

/** What the dialog shows of a text, as a person reads it. */
interface Shown {
  readonly servers: readonly ShownServer[];
  /** Words on why nothing was recognised. */
  readonly problems: readonly string[];
  readonly foot: string;
}

interface ShownServer {
  readonly name: string;
  readonly isTicked: boolean;
  /** Each word of the command line, or the address, as it is quoted. */
  readonly runs: readonly string[];
  readonly hints: readonly string[];
  readonly fields: readonly {
    readonly label: string;
    readonly isMasked: boolean;
    readonly value: string;
  }[];
}

/** Script that reads the dialog, as text because these files know no DOM. */
const READ = `(() => {
  const dialog = document.querySelector('dialog[open]');
  const foot = dialog.querySelector('[role="status"]');
  const wordsOf = (elements) => [...elements].map((element) => element.textContent.trim()).filter(Boolean);
  const readItem = (item) => {
    const box = item.querySelector('input[type="checkbox"]');
    const fields = [...item.querySelectorAll('[role="group"] input')];
    return {
      name: box.getAttribute('aria-label'),
      isTicked: box.checked,
      runs: [...item.querySelectorAll('dl > div')]
        .filter((row) => /^(Command|Arguments|Address)$/.test(row.querySelector('dt').textContent))
        .flatMap((row) => wordsOf(row.querySelectorAll('code'))),
      hints: wordsOf(box.nextElementSibling.querySelectorAll(':scope > span + span > span')),
      fields: fields.map(({ labels, type, value }) => ({
        label: labels[0].textContent, isMasked: type === 'password', value,
      })),
    };
  };
  return {
    servers: [...dialog.querySelectorAll('li')].map(readItem),
    problems: wordsOf([...dialog.querySelectorAll('p')].filter((element) => element !== foot)),
    foot: foot.textContent.trim(),
  };
})()`;

const panels = usePanels('all');
let panel: DrivenPanel;

/** Starts a panel on a machine that has every program which the blocks name. */
async function launchWithPrograms(): Promise<DrivenPanel> {
  const home = panels.tempFolder('pasting-');
  const folder = join(home, 'bin');
  mkdirSync(folder);
  for (const name of ['npx', 'uv', 'uvx', 'docker']) {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
  }
  return panels.launch({ env: { HOME: home, PATH: `${folder}:${process.env['PATH']}` } });
}

/**
 * Puts a text in the place of the one before, as a paste does, and reads what the dialog makes of it. A text without a server
 * comes between two blocks, because the dialog shows the last reading until the next is done.
 */
async function paste(text: string): Promise<Shown> {
  const { page } = panel;
  const dialog = page.getByRole('dialog', { name: 'Paste servers' });
  const nothing = dialog.getByText('No server is named in this line.');
  await dialog.getByLabel('Configuration to read', { exact: true }).fill('Brave Search');
  await nothing.waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  await nothing.waitFor({ state: 'detached' });
  return page.evaluate<Shown>(READ);
}

/** Outcome of a block as a row of `docs/pasting.md`. */
function rowOf(title: string, { servers, problems }: Shown): string {
  const list = (parts: readonly string[]) => parts.join('; ') || '–';
  const asked = servers.flatMap(({ fields }) =>
    fields.map(({ label, isMasked }) => `${label}${isMasked ? ' (masked)' : ''}`),
  );
  const said = [...servers.flatMap(({ hints }) => hints), ...problems];
  const cells = [title, list(servers.map(({ name }) => `\`${name}\``)), list(asked), list(said)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const documented = readFileSync(new URL('../../../docs/pasting.md', import.meta.url), 'utf8').split('\n');

/** Command line or address, as the list shows it. */
const runsOf = ([, { command, args = [], url }]: ReadmeBlock['servers'][number]): readonly string[] =>
  [url ?? command, ...args].map((word) => JSON.stringify(word));

describe('a block of a README, pasted into the window', () => {
  beforeAll(async () => {
    panel = await launchWithPrograms();
    await panel.page.emulateMedia({ reducedMotion: 'reduce' });
    await panel.page.getByRole('button', { name: 'Paste a configuration…', exact: true }).click();
  });

  it.each(readmeBlocks)('shows its servers and what they ask for: $title', async (block) => {
    const { title, text, servers, said } = block;
    const shown = await paste(text);
    expect(shown.servers.map(({ name }) => name)).toEqual(servers.map(([name]) => name));
    expect(shown.servers.map(({ runs }) => runs)).toEqual(servers.map(runsOf));
    for (const [index, [name, , asks = []]] of servers.entries()) {
      const server = shown.servers[index];
      expect(
        server?.fields.map(({ isMasked }) => isMasked),
        name,
      ).toEqual(asks.map(({ secret }) => secret ?? false));
      const isOpen = server?.fields.some(({ value }) => value === '');
      expect(server?.isTicked, name).toBe(!isOpen);
    }
    if (said !== undefined) expect(JSON.stringify(shown)).toContain(said);
    expect(documented).toContain(rowOf(title, shown));
  });

  it('has a row in the documentation for every block, and no other', () => {
    const rows = documented.filter((line) => line.startsWith('| ') && !line.startsWith('| ---')).slice(1);
    expect(rows.map((line) => line.split(' | ')[0]?.slice(2))).toEqual(
      readmeBlocks.map(({ title }) => title),
    );
  });
});
