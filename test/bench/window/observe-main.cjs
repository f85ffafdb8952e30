'use strict';

// Loaded with `-r` before a main script, the panel's or the empty window's. Writes one line to stdout when the first window
// is usable: what its page observer waits for is painted, and the window is on the screen. Times are epoch milliseconds.
const { app, ipcMain, session } = require('electron');
const { join } = require('node:path');

const PREFIX = 'window-bench ';
const nowMs = () => performance.timeOrigin + performance.now();

const at = { observer: nowMs() };
// This runs in the first turn after all main scripts.
process.nextTick(() => (at.mainEvaluated = nowMs()));
app.whenReady().then(() => {
  at.ready = nowMs();
  const preload = join(__dirname, 'observe-page.cjs');
  if (session.defaultSession.registerPreloadScript === undefined)
    session.defaultSession.setPreloads([preload]);
  else session.defaultSession.registerPreloadScript({ type: 'frame', filePath: preload });
});
app.once('browser-window-created', (_event, window) => {
  at.windowCreated = nowMs();
  const shown = new Promise((resolve) => window.once('show', resolve)).then(() => (at.shown = nowMs()));
  const painted = new Promise((resolve) => ipcMain.once('window-bench', (_, page) => resolve(page)));
  window.webContents.once('dom-ready', () => (at.domReady = nowMs()));
  Promise.all([painted, shown]).then(([page]) => {
    process.stdout.write(`${PREFIX}${JSON.stringify({ ...at, ...page })}\n`);
  });
});
