import { useMemo, useSyncExternalStore, type ClipboardEvent, type RefObject } from 'react';
import type { ShownLine } from '../format/log-lines.ts';
import { textBetween, type TextPlace } from './line-selection.ts';

interface TextSelection {
  /** Ids of the rows in which the selected text begins and ends; empty if no text is selected in the log. */
  readonly ids: readonly number[];
  readonly isSelecting: boolean;
  /** Handles a copy event by copying all selected text, including lines between its ends that are not in the DOM. */
  copy(event: ClipboardEvent): void;
}

/** Returns the text selection made with the pointer inside a log. The rows where it begins and ends must stay in the DOM. */
export function useTextSelection(
  scroller: RefObject<HTMLElement | null>,
  lines: readonly ShownLine[],
): TextSelection {
  // The ids are joined into one text, because `useSyncExternalStore` requires a snapshot that compares equal as long as nothing
  // has changed.
  const ends = useSyncExternalStore(
    watchSelection,
    () => endsIn(scroller.current),
    () => '',
  );
  const ids = useMemo(() => (ends === '' ? [] : ends.split(' ').map(Number)), [ends]);
  const copy = (event: ClipboardEvent) => {
    const selection = document.getSelection();
    if (selection === null || selection.isCollapsed) return;
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const start = placeOf(startContainer, startOffset);
    const end = placeOf(endContainer, endOffset);
    if (start === undefined || end === undefined) return;
    event.clipboardData.setData('text/plain', textBetween(lines, start, end));
    event.preventDefault();
  };
  return { ids, isSelecting: ids.length > 0, copy };
}

function watchSelection(listener: () => void): () => void {
  document.addEventListener('selectionchange', listener);
  return () => document.removeEventListener('selectionchange', listener);
}

/** Returns the ids of the rows where the selection begins and ends, separated by a space; empty if it does neither in the log. */
function endsIn(log: HTMLElement | null): string {
  const selection = document.getSelection();
  if (log === null || selection === null || selection.isCollapsed) return '';
  const ids = [selection.anchorNode, selection.focusNode]
    .map((node) => (log.contains(node) ? rowOf(node)?.getAttribute('data-line') : undefined))
    .filter((id) => id !== undefined && id !== null);
  return [...new Set(ids)].join(' ');
}

const rowOf = (node: Node | null): Element | null | undefined =>
  (node instanceof Element ? node : node?.parentElement)?.closest('[data-line]');

/** Converts a position in the DOM to a position in the text of a log line; undefined outside the rows. */
function placeOf(node: Node, offset: number): TextPlace | undefined {
  const row = rowOf(node);
  if (row === null || row === undefined) return undefined;
  const id = Number(row.getAttribute('data-line'));
  const text = row.querySelector('[data-text]');
  if (text === null) return { id, offset: 0 };
  const range = document.createRange();
  range.selectNodeContents(text);
  if (node.nodeType === Node.TEXT_NODE && text.contains(node)) {
    // A line with colors consists of several text nodes, so the offset is counted from the beginning of the whole line.
    range.setEnd(node, offset);
    return { id, offset: range.toString().length };
  }
  return { id, offset: range.comparePoint(node, offset) > 0 ? (text.textContent?.length ?? 0) : 0 };
}
