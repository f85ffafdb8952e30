import type { KeyboardEvent } from 'react';
import { copyText } from '../ui/copy-button.tsx';
import { asText, everyLine, moved, selectedLines } from './line-selection.ts';
import type { LogFollower } from './log-follower.ts';
import type { ShownLog } from './use-shown-log.ts';

/** Parts of a log that a key press can change. */
interface KeyedLog extends Pick<ShownLog, 'isOfOne' | 'lines' | 'select' | 'selection' | 'steps'> {
  readonly follower: Pick<LogFollower, 'toStart' | 'toEnd' | 'show' | 'idInView'>;
  /** Expands or collapses a line: its full text, or the content of its message. */
  readonly toggle: (id: number) => void;
}

/** Handles a key press inside the log; returns whether the key was handled. */
export function actOnKey(event: KeyboardEvent, log: KeyedLog): boolean {
  const isModified = event.ctrlKey || event.metaKey;
  if (event.altKey) return false;
  switch (isModified ? `Mod+${event.key.toLowerCase()}` : event.key) {
    case 'Home':
      log.follower.toStart();
      return true;
    case 'End':
      log.select(undefined);
      log.follower.toEnd();
      return true;
    case 'ArrowUp':
      return move(log, -1, event.shiftKey);
    case 'ArrowDown':
      return move(log, 1, event.shiftKey);
    case 'Enter':
      return openSelected(log);
    case 'n':
      log.steps.step(1);
      return true;
    case 'N':
      log.steps.step(-1);
      return true;
    case 'Mod+a':
      document.getSelection()?.removeAllRanges();
      log.select(everyLine(log.lines));
      return true;
    case 'Mod+c':
      return copySelected(log);
    case 'Escape':
      if (log.selection !== undefined) log.select(undefined);
      return log.selection !== undefined;
    default:
      return false;
  }
}

function move({ lines, selection, follower, select }: KeyedLog, by: number, extends_: boolean): boolean {
  const next = moved(selection, lines, by, { start: follower.idInView() ?? lines.at(-1)?.id, extends_ });
  select(next);
  if (next !== undefined) follower.show(next.head);
  return true;
}

function openSelected({ lines, selection, toggle }: KeyedLog): boolean {
  const [line, second] = selectedLines(lines, selection);
  if (line?.traffic?.hasContent !== true || second !== undefined) return false;
  toggle(line.id);
  return true;
}

function copySelected({ lines, selection, isOfOne }: KeyedLog): boolean {
  // If the user selected text with the pointer, the browser copies it; otherwise the selected lines are copied here.
  if (selection === undefined || document.getSelection()?.isCollapsed === false) return false;
  void copyText(asText(selectedLines(lines, selection), isOfOne));
  return true;
}
