'use strict';

// The least an Electron app can do: one window of the panel's size, shown when its page can be painted.
const { app, BrowserWindow } = require('electron');
const { join } = require('node:path');

app.setPath('userData', process.env.WINDOW_BENCH_HOME);
app.on('window-all-closed', () => app.quit());
app.whenReady().then(() => {
  const webPreferences = { sandbox: true, contextIsolation: true, spellcheck: false };
  const window = new BrowserWindow({ width: 1280, height: 800, show: false, webPreferences });
  window.once('ready-to-show', () => window.show());
  window.loadFile(join(__dirname, 'empty.html'));
});
