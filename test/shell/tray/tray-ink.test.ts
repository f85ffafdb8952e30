import { describe, expect, it } from 'vitest';
import { inkFor } from '../../../electron/shell/tray/tray-ink.ts';

describe('inkFor', () => {
  it('is both on Linux, whatever the theme of the windows', () => {
    expect([inkFor('linux', true), inkFor('linux', false)]).toEqual(['both', 'both']);
  });

  it('follows the taskbar of Windows', () => {
    expect([inkFor('win32', true), inkFor('win32', false)]).toEqual(['white', 'black']);
  });

  it('leaves the colour of a template to macOS', () => {
    expect([inkFor('darwin', true), inkFor('darwin', false)]).toEqual(['black', 'black']);
  });
});
