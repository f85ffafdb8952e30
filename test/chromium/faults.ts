import type { Page } from 'playwright-core';

const TELL = 'controlPanelFault';

/** Tells what the browser itself would only write to its console, or nowhere. Text, because it runs in the page. */
const SCRIPT = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
    globalThis.${TELL}('policy: ' + [effectiveDirective, blockedURI, sourceFile, lineNumber].join(' ')));
  addEventListener('unhandledrejection', ({ reason }) =>
    globalThis.${TELL}('unhandled rejection: ' + (reason?.stack ?? JSON.stringify(reason) ?? String(reason))));
`;

/**
 * Collects what must not happen in a page of `origin`: errors and warnings on the console, errors that nobody caught,
 * violations of the policy, requests to elsewhere, requests without an answer. Returns how to take what was collected.
 */
export async function collectFaults(page: Page, origin: string): Promise<() => string[]> {
  const faults: string[] = [];
  const add = (fault: string) => void faults.push(fault);
  await page.exposeBinding(TELL, (_source, fault: string) => add(fault));
  await page.addInitScript({ content: SCRIPT });
  page.on('console', (message) => {
    // Browsers ask every site for one; the window of the app does not.
    if (message.location().url === `${origin}/favicon.ico`) return;
    if (['error', 'warning'].includes(message.type())) add(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => add(`uncaught: ${error.stack ?? error.message}`));
  page.on('crash', () => add('the page crashed'));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url()))
      add(`request to elsewhere: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) add(`${response.status()}: ${response.url()}`);
  });
  return () => faults.splice(0);
}
