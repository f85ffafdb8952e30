import { useEffect } from 'react';
import { useServices } from '../services.ts';
import { manifestOf } from './bundle-manifest.ts';
import { offerText } from './offered-text.ts';

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
