import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { minify } from 'vite';

// The oldest runtime the panel runs on is Electron 25: Node 18.15 and Chromium 114.
const NODE_TARGET = 'node18';
const CHROME_TARGET = 'chrome114';

/** CommonJS with every library inside; only `electron` and Node stay outside. */
const selfContained = (name: string) => ({
  target: NODE_TARGET,
  externalizeDeps: false,
  outDir: `out/${name}`,
  emptyOutDir: true,
});
const output = (name: string) => ({ format: 'cjs' as const, entryFileNames: `${name}.cjs` });

/** Licences of the fonts as files beside them, because the OFL asks that they go with every copy. */
const fontLicences = () => ({
  name: 'font-licences',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string }) {
    for (const font of ['inter', 'jetbrains-mono']) {
      const source = readFileSync(`node_modules/@fontsource-variable/${font}/LICENSE`, 'utf8');
      this.emitFile({ type: 'asset', fileName: `licences/${font}.txt`, source });
    }
  },
});

const NATIVE_PART = '\0native-part';

/** Loads the native part of SQLite by our own rule in place of node-gyp-build, which would not look beside an archive. */
const nativePartOfSqlite = () => ({
  name: 'native-part-of-sqlite',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === 'node-gyp-build' ? NATIVE_PART : undefined),
  load: (id: string) => {
    const source = JSON.stringify(resolve('electron/core/store/native-part.ts'));
    return id === NATIVE_PART ? `export { loadNativePart as default } from ${source};` : undefined;
  },
});

/** Makes the file of the library of Kubernetes a third as large, because it is most of what it adds to a package. */
const smallKubernetes = () => ({
  name: 'small-kubernetes',
  renderChunk: async (code: string, { moduleIds }: { readonly moduleIds: readonly string[] }) =>
    moduleIds.some((id) => id.includes('@kubernetes/client-node'))
      ? await minify('kubernetes.cjs', code)
      : null,
});

export default defineConfig({
  main: {
    plugins: [nativePartOfSqlite(), smallKubernetes()],
    build: {
      ...selfContained('main'),
      // What is imported on demand stays in a file of its own: the updater, all that the window need not wait for, and all
      // that only a server that starts needs. Named entries as well, or the bundler's own functions go into those files
      // and the first one loads them for it.
      rolldownOptions: {
        // Native parts of koffi, one for each system: Windows finds its own in the modules, or in the app's resources.
        external: [/^@koromix\//],
        input: {
          main: 'electron/shell/main.ts',
          'panel-host': 'electron/shell/panel-host.ts',
          runs: 'electron/core/supervisor/runs.ts',
          'store-worker': 'electron/core/store/store-worker.ts',
          'logs-worker': 'electron/core/logs/logs-worker.ts',
          'message-worker': 'electron/core/mcp/worker/message-worker.ts',
          'keyring-helper': 'electron/core/secrets/keyring-helper.ts',
        },
        output: {
          ...output('[name]'),
          chunkFileNames: '[name].cjs',
          // One file for each set of entries that share something: none loads what only others need.
          codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, entriesAware: true }] },
        },
      },
    },
  },
  preload: {
    build: {
      ...selfContained('preload'),
      rolldownOptions: {
        input: { preload: 'electron/preload.ts' },
        output: { ...output('preload'), codeSplitting: false },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react(), tailwindcss(), fontLicences()],
    build: {
      target: CHROME_TARGET,
      outDir: 'out/renderer',
      emptyOutDir: true,
      minify: true,
      // Small fonts stay files because the page may load none from a data: address.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: 'renderer/index.html',
        // All that the first view needs in one file: each one is a request to the main process, which is busy starting.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  },
});
