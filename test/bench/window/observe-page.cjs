'use strict';

// A sandboxed preload of the benchmark's own, beside the page's. Tells the main process when so many elements that match
// are there and a frame with them is painted.
const { ipcRenderer } = require('electron');

const nowMs = () => performance.timeOrigin + performance.now();
const at = { pageStarted: performance.timeOrigin, preload: nowMs() };
const selector = process.env.WINDOW_BENCH_SELECTOR;
const count = Number(process.env.WINDOW_BENCH_COUNT);

const observer = new MutationObserver(() => {
  if (document.querySelectorAll(selector).length < count) return;
  observer.disconnect();
  at.rendered = nowMs();
  // The frame is painted in the turn of its callback; the timer runs in the next.
  requestAnimationFrame(() => setTimeout(report));
});
observer.observe(document, { childList: true, subtree: true });

function report() {
  at.painted = nowMs();
  const { domInteractive } = performance.getEntriesByType('navigation')[0];
  ipcRenderer.send('window-bench', { ...at, domInteractive: performance.timeOrigin + domInteractive });
}
