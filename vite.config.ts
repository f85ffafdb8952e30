import { defineConfig } from 'vite';

/** The bridge for clients that speak stdio only: one file, and beside it what only starting a server itself needs. */
export default defineConfig({
  build: {
    ssr: 'electron/core/bridge/main.ts',
    target: 'node18',
    outDir: 'out/bridge',
    emptyOutDir: true,
    // Half as much to read at each start.
    minify: true,
    rolldownOptions: {
      // The native parts of koffi, which only the panel has.
      external: [/^@koromix\//],
      output: { format: 'cjs', entryFileNames: 'bridge.cjs', chunkFileNames: '[name].cjs' },
    },
  },
  ssr: { noExternal: true },
});
