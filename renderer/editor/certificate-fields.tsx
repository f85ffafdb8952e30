import { CheckField } from '../ui/check-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { ReachFieldsProps } from './command-fields.tsx';
import styles from './server-form.module.css';

/** Fields that set how the TLS certificate of an address is checked. */
export function CertificateFields({ editor: { state, problems }, set }: ReachFieldsProps) {
  const { verifiesTls, caFile } = state.draft;
  return (
    <fieldset className={styles.group} aria-label="Certificates">
      <div className={styles.row}>
        <span className={styles.label}>Certificates</span>
        <div className={styles.checks}>
          <CheckField
            label="Check the server’s certificate"
            isChecked={verifiesTls}
            onChange={(isOn) => set('tls', { verifiesTls: isOn })}
            {...(!verifiesTls && {
              hint: 'Anyone on the network path can impersonate this server, read what is sent to it, headers included, and answer.',
            })}
          />
        </div>
      </div>
      <TextField
        label="CA file"
        isCode
        value={caFile}
        error={problems['tls']}
        placeholder="PEM file, trusted beside the public authorities"
        isReadOnly={!verifiesTls}
        onChange={(path) => set('tls', { caFile: path })}
      />
    </fieldset>
  );
}
