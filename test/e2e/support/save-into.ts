import type { DrivenPanel } from '../harness.ts';

/** Answers the next dialogs for saving with paths in the folder, under the names that they suggest. */
export async function saveInto({ app }: DrivenPanel, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, into) => {
    const answer = (...args: unknown[]) => {
      const { defaultPath = '' } = args.at(-1) as { defaultPath?: string };
      const name = defaultPath.split(/[\\/]/).at(-1) ?? '';
      return Promise.resolve({ canceled: false, filePath: `${into}/${name}` });
    };
    dialog.showSaveDialog = answer;
  }, folder);
}
