import type { BrowserWindow } from 'electron';

/** Tells whether the window can be seen, at each change and never twice the same. Starts from "not". */
export function watchVisibility(window: BrowserWindow, onChange: (isVisible: boolean) => void): void {
  let wasVisible = false;
  const tell = (isVisible: boolean) => {
    if (isVisible === wasVisible) return;
    wasVisible = isVisible;
    onChange(isVisible);
  };
  const look = () => tell(window.isVisible() && !window.isMinimized());
  // The events "show" and "hide" also come on macOS when other windows uncover this one or cover it.
  window.on('show', look);
  window.on('hide', look);
  window.on('minimize', look);
  window.on('restore', look);
  window.on('closed', () => tell(false));
}
