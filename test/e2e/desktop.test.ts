import { expect, it } from 'vitest';
import { usePanels } from './harness.ts';

const panels = usePanels();
const config = encodeURIComponent('{ "linked": { "command": "node", "args": ["-v"] } }');

it('a link and a dropped file open a question that adds nothing by itself', async () => {
  const panel = await panels.launch({
    args: [`mcp-control-panel://import?config=${config}`],
  });
  const { app, page } = panel;
  const dialog = page.getByRole('dialog', { name: 'Add these servers?' });
  await dialog.getByText('From the link.').waitFor();
  await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(1);
  expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await app.evaluate(({ app: own }) =>
    own.emit('second-instance', {}, ['app', 'mcp-control-panel://open/usage']),
  );
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  await app.evaluate(({ app: own }) =>
    own.emit('second-instance', {}, ['app', 'mcp-control-panel://stop/all']),
  );
  expect(new URL(page.url()).hash).toBe('#/usage');

  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['{ "dropped": { "command": "node" } }'], 'mine.json'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }`);
  await dialog.getByText('From mine.json.').waitFor();
  expect((await panel.snapshot()).servers).toEqual([]);
});
