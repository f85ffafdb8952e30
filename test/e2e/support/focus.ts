import type { Page } from 'playwright-core';

/** Place of the keyboard focus. */
export interface FocusStop {
  /** Tag or role, and accessible name: `button Stop one`; `body` for nowhere. */
  readonly words: string;
  /** Whether the element, or what stands for it, looks different with the focus. */
  readonly isVisible: boolean;
}

/** Number of stops that no view has. */
const MAX_STOPS = 200;

/** Script that runs in the page, as text because these files know no DOM. */
const SCRIPT = `(() => {
  const looks = ['outlineStyle', 'outlineWidth', 'borderColor', 'boxShadow'];
  const lookOf = (element) => {
    const style = getComputedStyle(element);
    const parts = looks.map((name) => style[name]);
    return parts[0] === 'none' ? parts.slice(2).join() : parts.join();
  };
  const changes = (element) => {
    const twin = element.cloneNode(false);
    twin.removeAttribute('id');
    twin.removeAttribute('name');
    element.after(twin);
    const isChanged = lookOf(twin) !== lookOf(element);
    twin.remove();
    return isChanged;
  };
  const isOutlined = (element) => element !== null && getComputedStyle(element).outlineStyle !== 'none';
  const nameOf = (element) =>
    (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent).trim().slice(0, 60);
  const describe = (element) => {
    if (element === document.body) return { words: 'body', isVisible: false };
    const role = element.getAttribute('role') ?? element.localName;
    const label = element.closest('label');
    return {
      words: role + ' ' + nameOf(element),
      isVisible:
        // A switch hides its radio button and marks the label beside it.
        (element.type === 'radio' && isOutlined(element.nextElementSibling)) ||
        changes(element) ||
        (label !== null && changes(label)),
    };
  };
  const isShown = (element) => element.checkVisibility?.({ checkOpacity: false }) ?? element.getClientRects().length > 0;
  const reachable = () => {
    const scope = document.querySelector('dialog[open]') ?? document.body;
    const all = scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]');
    return [...all].filter((element) =>
      !element.disabled && element.tabIndex >= 0 && isShown(element) &&
      (element.type !== 'radio' || element.checked));
  };
  return { describe, reachable };
})()`;

/** Element that has the focus. */
export const focusStop = (page: Page): Promise<FocusStop> =>
  page.evaluate<FocusStop>(`${SCRIPT}.describe(document.activeElement)`);

/**
 * Presses Tab until the focus is on the element called `words`, and returns every stop on the way.
 * @throws with the stops when it is never reached
 */
export async function tabTo(page: Page, words: string, key = 'Tab'): Promise<FocusStop[]> {
  const stops: FocusStop[] = [];
  for (let left = MAX_STOPS; left > 0; left -= 1) {
    await page.keyboard.press(key);
    const stop = await focusStop(page);
    stops.push(stop);
    if (stop.words === words) return stops;
    if (stop.words === 'body' && stops.filter((seen) => seen.words === 'body').length > 2) break;
  }
  throw new Error(`${key} never leads to "${words}", but to: ${stops.map((stop) => stop.words).join(' | ')}`);
}

export interface Round {
  /** Stops where nothing shows that the focus is there. */
  readonly unseen: readonly string[];
  /** Controls that can be used, and that Tab does not lead to. */
  readonly missed: readonly string[];
  readonly count: number;
}

/** Presses Tab once around the view, or around the dialog that is open. */
export async function tabAround(page: Page): Promise<Round> {
  await page.evaluate(`globalThis.focusRound = { ...${SCRIPT}, seen: new Map() }`);
  for (let left = MAX_STOPS; left > 0; left -= 1) {
    await page.keyboard.press('Tab');
    const isRound = await page.evaluate<boolean>(`(() => {
      const { seen, describe } = focusRound;
      const at = document.activeElement;
      if (at === document.body) return seen.size > 0;
      if (seen.has(at)) return true;
      seen.set(at, describe(at));
      return false;
    })()`);
    if (isRound) break;
  }
  return page.evaluate<Round>(`(() => {
    const { seen, describe, reachable } = focusRound;
    const stops = [...seen.values()];
    return {
      unseen: stops.filter((stop) => !stop.isVisible).map((stop) => stop.words),
      missed: reachable().filter((element) => !seen.has(element)).map((element) => describe(element).words),
      count: stops.length,
    };
  })()`);
}
