import { PanelError } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';

export interface RemoteTarget {
  /** URL for requests, without user name and password. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Converts the URL's user name and password to a header, because `fetch` rejects them. @throws PanelError CONFIG_INVALID */
export function remoteTarget({ name, url: text, headers }: RemoteServerConfig): RemoteTarget {
  const url = new URL(text);
  for (const [header, value] of Object.entries(headers)) checkHeader(name, header, value);
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers };
  url.username = url.password = '';
  if (hasCredential(headers)) return { url, headers };
  const credential = `${decode(username)}:${decode(password)}`;
  return {
    url,
    headers: { ...headers, Authorization: `Basic ${Buffer.from(credential).toString('base64')}` },
  };
}

/** True if the entry's headers contain a credential. */
export const hasCredential = (headers: RemoteTarget['headers']): boolean =>
  Object.keys(headers).some((header) => header.toLowerCase() === 'authorization');

function checkHeader(server: string, header: string, value: string): void {
  try {
    new Headers({ [header]: value });
  } catch {
    throw new PanelError('CONFIG_INVALID', `${server}: the header "${header}" cannot be sent.`, {
      data: { header },
      remedy: 'Header names are words, and values contain no line breaks and only Latin characters.',
    });
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // The text contains a percent sign that does not begin an escape sequence.
  }
}
