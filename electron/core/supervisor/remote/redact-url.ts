import { maskedUrl } from '../../journal/config-secrets.ts';

/** The URL as messages may hold it, see `maskedUrl`. */
export function redactUrl(url: string | URL): string {
  return maskedUrl(url);
}
