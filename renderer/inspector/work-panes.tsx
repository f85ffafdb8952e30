import { useMediaQuery } from '@mantine/hooks';
import type { CSSProperties, ReactNode } from 'react';
import { PaneSeparator } from '../ui/pane-separator.tsx';
import { usePaneSizes } from './use-pane-sizes.ts';
import { usualSizes } from '../store/pane-sizes.ts';
import styles from './inspector.module.css';

/** Form and result, side by side, or stacked in a narrow window. */
export function WorkPanes({ form, result }: { readonly form: ReactNode; readonly result: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 1099.98px)') ?? false;
  const [{ formPercent }, setSizes] = usePaneSizes();
  return (
    <div className={styles.panes} style={{ '--form': `${formPercent}%` } as CSSProperties}>
      <div id="tool-form" className={styles.held}>
        {form}
      </div>
      <PaneSeparator
        name={isNarrow ? 'Height of the form' : 'Width of the form'}
        pane="tool-form"
        isAcross={isNarrow}
        percent={formPercent}
        onSize={(sizePx, wholePx) => setSizes({ formPercent: (sizePx / Math.max(1, wholePx)) * 100 })}
        onReset={() => setSizes({ formPercent: usualSizes.formPercent })}
      />
      <div className={styles.held}>{result}</div>
    </div>
  );
}
