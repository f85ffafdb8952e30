import { describe, expect, it } from 'vitest';
import { putAwayWords } from '../../../electron/shell/notifications/notification-words.ts';

describe('putAwayWords', () => {
  it('says what goes on, and how the window comes back', () => {
    const { title, body } = putAwayWords('hidden', 9);
    expect(title).toBe('MCP Control Panel is still running here');
    expect(body).toBe('9 servers go on. The icon in the tray brings the window back, and its menu quits.');
  });

  it('says why the window is still there on a desktop without a tray', () => {
    expect(putAwayWords('minimised', 1).body).toBe(
      '1 server goes on. This desktop shows no tray icons, so the window was minimised; Ctrl+Q quits.',
    );
    expect(putAwayWords('minimised', 0).body).toMatch(/^It goes on\./);
  });
});
