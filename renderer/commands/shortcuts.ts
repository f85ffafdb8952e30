import { appCommands } from '../../shared/app-commands.ts';
import { isPressed, keysText, type Keyed, type KeyPress } from '../../shared/keys.ts';
import { commandsById, serverCommandsById, type CommandId, type ShortcutGroup } from './command-table.ts';

const isMac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');

/** Keys of a command as text; an empty string if it has none. */
export const shownKeys = ({ keys = '' }: Keyed): string => keysText(keys, isMac);

const commandOf = (id: string) => commandsById.get(id) ?? serverCommandsById.get(id);

export const shortcutOf = (id: CommandId): string => shownKeys(commandOf(id) ?? {});

/** Text followed by the shortcut of a command: "Stop everything  Ctrl+." */
export const withShortcut = (words: string, id: CommandId): string => `${words}  ${shortcutOf(id)}`;

/** Lines of one group on the shortcut sheet. They include app commands, whose keys never reach the page. */
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
 * Returns the id of the command for a key press; undefined if no command has these keys.
 * @param isTyping true if the focus is in a text field, which keeps the keys that write, delete or leave the field
 */
export function pressedCommand(press: KeyPress, isTyping: boolean): string | undefined {
  const isMod = press.ctrlKey || press.metaKey;
  const edits = press.altKey || (isMod ? press.key === 'Backspace' : press.key !== 'Escape');
  if (isTyping && edits) return undefined;
  const pressed = [...commandsById, ...serverCommandsById].find(([, command]) => isPressed(command, press));
  return pressed?.[0];
}
