import { useEffect } from 'react';
import { type Services, useServices } from '../services.ts';
import { manifestOf } from './bundle-manifest.ts';

/** Maximum bytes of a dropped file; a longer file is not a configuration. */
const LONGEST_BYTES = 1_048_576;

/** Returns the configuration text of a dropped file; undefined if the file has none that can be read. */
export async function textOfFile(file: File): Promise<string | undefined> {
  const name = file.name.toLowerCase();
  if (name.endsWith('.mcpb') || name.endsWith('.dxt')) return manifestOf(file);
  const isText = name.endsWith('.json') || name.endsWith('.toml');
  return isText && file.size <= LONGEST_BYTES ? file.text() : undefined;
}

/** When the user drops a file on the window, opens a dialog that offers to add the servers in it. */
export function useDroppedFiles(): void {
  const services = useServices();
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) void take(file);
    };
    const take = async (file: File) => {
      const text = await textOfFile(file).catch(() => undefined);
      if (text !== undefined) return offerText(services, text, file.name);
      const words = `${file.name} has no servers that can be read: drop a .json, .toml or .mcpb file.`;
      services.manage.setNote({ kind: 'done', words });
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, [services]);
}

const IMPORT = '#/import?config=';

/**
 * Opens a dialog that offers to add the servers in a text from outside the window. If another dialog is open, a note is shown
 * instead, because replacing that dialog would lose the input in it.
 */
function offerText({ manage }: Pick<Services, 'manage'>, text: string, from: string): void {
  if (manage.state.getState().dialog === undefined) return manage.open({ kind: 'paste', text, from });
  manage.setNote({ kind: 'done', words: `Close the open dialog first, then open ${from} again.` });
}

/**
 * Takes a configuration text from an import link in the window's address. The address is then replaced by that of the server
 * list, so that a reload does not open the dialog again.
 */
export function takeLink(services: Pick<Services, 'manage'>, hash: string): void {
  if (!hash.startsWith(IMPORT)) return;
  window.location.replace('#/servers');
  try {
    offerText(services, decodeURIComponent(hash.slice(IMPORT.length)), 'the link');
  } catch {
    // The hash contains an invalid percent sign. The main process never writes one.
  }
}
