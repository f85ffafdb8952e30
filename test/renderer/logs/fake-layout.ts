import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';

/** Gives each test of a file a page with a layout, and leaves nothing of it to the next. */
export function useFakeLayout(): void {
  let undo = () => {};
  beforeEach(() => (undo = giveLayout()));
  afterEach(() => {
    cleanup();
    undo();
    window.location.hash = '';
  });
}

/**
 * Layout for a page without one: an element is as high as its style says, the log 400 px and each row 20 px.
 * Returns the undo.
 */
export function giveLayout(): () => void {
  const restore = [
    replace(document.defaultView!, 'ResizeObserver', FirstSizes),
    replace(globalThis, 'ResizeObserver', FirstSizes),
    replace(HTMLElement.prototype, 'scrollTo', scrollTo as HTMLElement['scrollTo']),
    define('clientHeight', (element) => (isLog(element) ? LOG_PX : 0)),
    define('clientWidth', () => 900),
    define('offsetHeight', (element) => (isLog(element) ? LOG_PX : ROW_PX)),
    define('offsetWidth', () => 900),
    define('scrollHeight', (element) => {
      const sizer = element.querySelector<HTMLElement>('[data-sizer]');
      return Math.max(LOG_PX, Number.parseFloat(sizer?.style.height ?? '0'));
    }),
  ];
  return () => restore.forEach((undo) => undo());
}

/** Tells the size of each element once, as a browser does first. */
class FirstSizes implements ResizeObserver {
  readonly #tell: ResizeObserverCallback;

  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell;
  }

  observe(target: HTMLElement): void {
    const size = { blockSize: target.offsetHeight, inlineSize: target.offsetWidth };
    const contentRect = target.getBoundingClientRect();
    const entry = { target, contentRect, borderBoxSize: [size] } as unknown as ResizeObserverEntry;
    queueMicrotask(() => this.#tell([entry], this));
  }

  unobserve(): void {}
  disconnect(): void {}
}

/** Scrolls within the bounds, and tells it. */
function scrollTo(this: HTMLElement, { top = 0 }: ScrollToOptions): void {
  this.scrollTop = Math.max(0, Math.min(top, this.scrollHeight - this.clientHeight));
  queueMicrotask(() => this.dispatchEvent(new Event('scroll')));
}

function replace<T extends object, K extends keyof T>(owner: T, name: K, value: T[K]): () => void {
  const before = owner[name];
  owner[name] = value;
  return () => (owner[name] = before);
}

const LOG_PX = 400;
const ROW_PX = 20;
const isLog = (element: HTMLElement) => element.getAttribute('role') === 'log';

function define(name: string, get: (element: HTMLElement) => number): () => void {
  const before = Object.getOwnPropertyDescriptor(HTMLElement.prototype, name);
  Object.defineProperty(HTMLElement.prototype, name, {
    configurable: true,
    get(this: HTMLElement) {
      return get(this);
    },
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(HTMLElement.prototype, name);
    else Object.defineProperty(HTMLElement.prototype, name, before);
  };
}
