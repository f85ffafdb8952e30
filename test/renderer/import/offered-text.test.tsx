// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { takeLink } from '../../../renderer/import/use-dropped-files.ts';
import { servicesWith } from '../in-window.ts';

const TEXT = '{ "a": { "command": "npx" } }';
const LINK = `#/import?config=${encodeURIComponent(TEXT)}`;

describe('a link with servers', () => {
  it('opens a question, once', () => {
    const services = servicesWith();
    window.location.hash = LINK;
    takeLink(services, window.location.hash);
    expect(services.manage.state.getState().dialog).toEqual({ kind: 'paste', text: TEXT, from: 'the link' });
    expect(window.location.hash).toBe('#/servers');
  });

  it('replaces nothing that is open, and is left alone if it is another address', () => {
    const services = servicesWith();
    services.manage.open({ kind: 'add' });
    takeLink(services, LINK);
    expect(services.manage.state.getState().dialog).toEqual({ kind: 'add' });
    expect(services.manage.state.getState().note).toMatchObject({
      words: 'Close the open dialog first, then open the link again.',
    });
    services.manage.close();
    for (const hash of ['#/servers', '#/import', '#/import?config=%', '#/import?other=x'])
      takeLink(services, hash);
    expect(services.manage.state.getState().dialog).toBeUndefined();
  });
});
