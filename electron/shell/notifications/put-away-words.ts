import type { NotificationText } from './notification-words.ts';

/**
 * Returns the text shown when closing hides or minimises the app window and the user was not yet informed. @param servers
 * number of servers that are not stopped
 */
export function putAwayWords(how: 'hidden' | 'minimised', servers: number): NotificationText {
  const goOn = servers === 0 ? 'It goes on' : `${servers} ${servers === 1 ? 'server goes' : 'servers go'} on`;
  return {
    title: 'MCP Control Panel is still running here',
    body:
      how === 'hidden'
        ? `${goOn}. The icon in the tray brings the window back, and its menu quits.`
        : `${goOn}. This desktop shows no tray icons, so the window was minimised; Ctrl+Q quits.`,
  };
}
