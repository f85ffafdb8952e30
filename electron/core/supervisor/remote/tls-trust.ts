import { X509Certificate } from 'node:crypto';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import { readContent } from '../../files/file-content.ts';

/** Rules by which the certificate of one server is accepted. */
export interface TlsTrust {
  /** Whether the certificate is verified; false accepts any certificate. */
  readonly verify: boolean;
  /** Certificates in PEM form that are trusted in addition to the public ones. */
  readonly extraRoots: readonly string[];
}

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Reads the certificate file of the entry's `tls`. Called at each start, because a certificate may be renewed without a change
 * of the entry. @throws PanelError CONFIG_INVALID; its message has the path, its remedy says what the file must contain
 */
export async function readTlsTrust({ name, tls = {} }: RemoteServerConfig): Promise<TlsTrust> {
  const { verify = true, caFile } = tls;
  // Without verification, the file is not used, so it need not be readable.
  if (caFile === undefined || !verify) return { verify, extraRoots: [] };
  const content = await readContent(caFile);
  if (content.kind === 'gone') throw unusable(name, caFile, 'there is no such file');
  if (content.kind === 'unreadable') throw unusable(name, caFile, content.reason);
  const extraRoots = content.text.match(CERTIFICATE) ?? [];
  if (extraRoots.length === 0) throw unusable(name, caFile, 'it contains no certificate in PEM form');
  for (const [index, pem] of extraRoots.entries()) {
    if (!isCertificate(pem)) throw unusable(name, caFile, `its certificate no. ${index + 1} is damaged`);
  }
  return { verify, extraRoots };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function unusable(server: string, caFile: string, found: string): PanelError {
  const path = `mcpServers.${server}.tls.caFile`;
  return new PanelError('CONFIG_INVALID', `${path}: ${caFile} cannot be used: ${found}.`, {
    data: { path, file: caFile },
    remedy:
      'Name a PEM file ("-----BEGIN CERTIFICATE-----") with the certificate of the authority that signed the ' +
      "server's, or with the server's own.",
  });
}
