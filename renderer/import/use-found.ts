import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import { usePanel, useServices } from '../services.ts';
import { choicesOfFiles, foundWords, type ChoiceFile } from './choices.ts';

export interface Found extends ReturnType<typeof foundWords> {
  readonly files: readonly ChoiceFile[];
}

/** Servers in the files of other MCP clients that the panel lacks, as of the last scan of these files; none before a scan. */
export function useFound(): Found {
  const { found } = useServices();
  const imports = useStore(found.state, (state) => state.imports);
  const names = usePanel((state) => state.names);
  return useMemo(() => {
    const files = imports === undefined ? [] : choicesOfFiles(imports);
    return { files, ...foundWords(files, names) };
  }, [imports, names]);
}
