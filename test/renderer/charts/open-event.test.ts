// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { OPEN_EVENT, openEvent } from '../../../renderer/charts/open-event.ts';
import { anEvent } from '../builders.ts';

afterEach(() => {
  document.body.replaceChildren();
  window.location.hash = '';
});

describe('an event that is asked for by its mark', () => {
  it('opens its row where there is one', () => {
    document.body.innerHTML = '<ul><li data-event="1 2"><button aria-expanded="false"></button></li></ul>';
    let clicks = 0;
    document.querySelector('button')!.addEventListener('click', () => (clicks += 1));
    openEvent(anEvent('2', { kind: 'crashed', server: 'memory' }));
    expect([clicks, window.location.hash]).toEqual([1, '']);
  });

  it('is asked for at the log that has its row out of view', () => {
    document.body.innerHTML = '<div role="log"></div>';
    const asked: unknown[] = [];
    document.querySelector('[role="log"]')!.addEventListener(OPEN_EVENT, (event) => {
      asked.push((event as CustomEvent).detail);
      event.preventDefault();
    });
    openEvent(anEvent('2', { kind: 'crashed', server: 'memory' }));
    expect([asked, window.location.hash]).toEqual([['2'], '']);
  });

  it('leads to the story of the end that it tells where its row is not shown', () => {
    openEvent(anEvent('2', { kind: 'crashed', server: 'memory' }));
    expect(window.location.hash).toBe('#/servers/memory/restarts/2');
  });

  it('leads nowhere where it tells no end', () => {
    openEvent(anEvent('2', { kind: 'started', server: 'memory' }));
    openEvent(undefined);
    expect(window.location.hash).toBe('');
  });
});
