import { useEffect } from 'react';
import { type Services, useServices } from '../services.ts';
import { manifestOf } from './bundle-manifest.ts';

/** A longer file is no configuration. */
const LONGEST_BYTES = 1_048_576;

/** Text with servers in a dropped file; undefined if it is none that can be read. */
export async function textOfFile(file: File): Promise<string | undefined> {
  const name = file.name.toLowerCase();
  if (name.endsWith('.mcpb') || name.endsWith('.dxt')) return manifestOf(file);
  const isText = name.endsWith('.json') || name.endsWith('.toml');
  return isText && file.size <= LONGEST_BYTES ? file.text() : undefined;
}

/** Opens the question whether to add the servers of a file that is dropped on the window. */
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
 * Opens the question whether to add the servers of a text that came from outside the window. An open dialog is not replaced,
 * because something typed there would be lost.
 */
function offerText({ manage }: Pick<Services, 'manage'>, text: string, from: string): void {
  if (manage.state.getState().dialog === undefined) return manage.open({ kind: 'paste', text, from });
  manage.setNote({ kind: 'done', words: `Close what is open first, then open ${from} again.` });
}

/** Takes the text of a link's address, which is left for that of the servers, so that no reload asks again. */
export function takeLink(services: Pick<Services, 'manage'>, hash: string): void {
  if (!hash.startsWith(IMPORT)) return;
  window.location.replace('#/servers');
  try {
    offerText(services, decodeURIComponent(hash.slice(IMPORT.length)), 'the link');
  } catch {
    // A stray percent sign; the main process writes none.
  }
}
