import type { Input } from 'electron';
import { appCommands, type AppCommand } from '../../../shared/app-commands.ts';
import { isPressed } from '../../../shared/keys.ts';

/**
 * Returns the command of a key press in an app window without a menu bar (macOS has these keys in its menu). Copy, paste and
 * undo are left out, because text fields handle them.
 */
export function shortcutCommand(
  input: Pick<Input, 'type' | 'key' | 'code' | 'control' | 'meta' | 'alt' | 'shift'>,
  isDevelopment: boolean,
): AppCommand | undefined {
  const { type, key, code, control, meta, alt, shift } = input;
  if (type !== 'keyDown' || meta) return undefined;
  const press = { key, code, ctrlKey: control, metaKey: meta, altKey: alt, shiftKey: shift };
  return appCommands.find(
    (command) => (isDevelopment || command.isForDevelopment !== true) && isPressed(command, press),
  );
}
