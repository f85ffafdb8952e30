import { Segments } from '../ui/segments.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CertificateFields } from './certificate-fields.tsx';
import type { ReachFieldsProps } from './command-fields.tsx';
import { PairTable } from './pair-table.tsx';
import styles from './server-form.module.css';

const protocols = [
  { value: 'http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'HTTP+SSE' },
] as const;

/** Fields for the address of a server and the headers sent to it. */
export function AddressFields({ editor, set, focus }: ReachFieldsProps) {
  const { state, problems } = editor;
  const { draft } = state;
  return (
    <>
      <TextField
        label="URL"
        isCode
        hasFocus={focus === 'url'}
        value={draft.url}
        error={problems['url']}
        placeholder="https://mcp.example.com/mcp"
        onChange={(url) => set('url', { url })}
      />
      <div className={styles.row}>
        <span className={styles.label}>Transport</span>
        <Segments
          name="Transport"
          value={draft.protocol}
          choices={protocols}
          onChange={(protocol) => set('type', { protocol })}
        />
      </div>
      <PairTable
        label="Headers"
        hasFocus={focus === 'headers'}
        noun="header"
        pairs={draft.headers}
        error={problems['headers']}
        onChange={(headers) => set('headers', { headers })}
      />
      <CertificateFields editor={editor} set={set} />
    </>
  );
}
