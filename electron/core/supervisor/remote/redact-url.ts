/** The URL as people and logs may see it: without user, password, query and fragment, any of which may hold a secret. */
export function redactUrl(url: string | URL): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return 'an address that is no URL';
  }
}
