import { appCommands } from '../../shared/app-commands.ts';
import { isPressed, keysText, type Keyed, type KeyPress } from '../../shared/keys.ts';
import { commandsById, serverCommandsById, type CommandId, type ShortcutGroup } from './command-table.ts';

const isMac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');

/** Keys as they are shown, or an empty text if there are none. */
export const shownKeys = ({ keys = '' }: Keyed): string => keysText(keys, isMac);

const commandOf = (id: string) => commandsById.get(id) ?? serverCommandsById.get(id);

export const shortcutOf = (id: CommandId): string => shownKeys(commandOf(id) ?? {});

/** Words with their shortcut: "Stop everything  Ctrl+." */
export const withShortcut = (words: string, id: CommandId): string => `${words}  ${shortcutOf(id)}`;

/** Lines of a group on the sheet of shortcuts, those of the app among them, although the page never sees their keys. */
export function shortcutsIn(
  group: ShortcutGroup,
): readonly { readonly words: string; readonly keys: string }[] {
  const ofTheApp = appCommands.map(({ title, keys }) => ({ title, keys, group: 'Window' }));
  return [...commandsById.values(), ...serverCommandsById.values(), ...ofTheApp].flatMap((command) =>
    command.group === group && command.title !== undefined
      ? [{ words: command.title, keys: shownKeys(command) }]
      : [],
  );
}

/**
 * Id of the command of a key press, if any.
 * @param isTyping whether the focus is where letters are text, which keeps the keys that write, delete or leave it
 */
export function pressedCommand(press: KeyPress, isTyping: boolean): string | undefined {
  const isMod = press.ctrlKey || press.metaKey;
  const edits = press.altKey || (isMod ? press.key === 'Backspace' : press.key !== 'Escape');
  if (isTyping && edits) return undefined;
  const pressed = [...commandsById, ...serverCommandsById].find(([, command]) => isPressed(command, press));
  return pressed?.[0];
}
