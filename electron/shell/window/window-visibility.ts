import type { BrowserWindow } from 'electron';

/** Calls `onChange` when the window becomes visible or hidden, never twice with the same value. Starts from hidden. */
export function watchVisibility(window: BrowserWindow, onChange: (isVisible: boolean) => void): void {
  let wasVisible = false;
  const tell = (isVisible: boolean) => {
    if (isVisible === wasVisible) return;
    wasVisible = isVisible;
    onChange(isVisible);
  };
  const look = () => tell(window.isVisible() && !window.isMinimized());
  // On macOS "show" and "hide" also come when other windows uncover or cover this one.
  window.on('show', look);
  window.on('hide', look);
  window.on('minimize', look);
  window.on('restore', look);
  window.on('closed', () => tell(false));
}
