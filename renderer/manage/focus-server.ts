/** Moves the focus to a server's row or head, as soon as there is one. */
export function focusServer(name: string): void {
  const deadline = performance.now() + 2000;
  const look = () => {
    const home = document.querySelector<HTMLElement>(`[data-server="${CSS.escape(name)}"] [data-home]`);
    if (home !== null) {
      home.focus();
      home.scrollIntoView({ block: 'nearest' });
    } else if (performance.now() < deadline) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
