import { useShallow } from 'zustand/react/shallow';
import { figureMeanings } from '../format/figures.ts';
import { addUp, inRamBriefly } from '../../shared/server-totals.ts';
import { cpuUse, inRam, memoryUse, type ShareOfMachine } from '../format/totals.ts';
import { usePanel } from '../services.ts';
import styles from './navigation-foot.module.css';

/** Resource use of all servers together. A component of its own, because it changes each second. */
export function NavigationFoot() {
  const totals = usePanel(useShallow(({ servers }) => addUp([...servers.values()])));
  const machine = usePanel((state) => state.machine);
  return (
    <div className={styles.foot}>
      <UseBar
        name="Memory"
        look="memory"
        tip="All servers together: the sum of their figures. Memory that they share counts once for each, in RAM once"
        use={memoryUse(totals, machine)}
        beside={inRam(totals, inRamBriefly)}
      />
      <UseBar
        name="CPU"
        look="cpu"
        tip={`All servers together. ${figureMeanings.cpu}`}
        use={cpuUse(totals, machine)}
      />
    </div>
  );
}

interface UseBarProps {
  readonly name: string;
  readonly look: 'memory' | 'cpu';
  readonly tip: string;
  readonly use: ShareOfMachine;
  /** The same amount in another unit. */
  readonly beside?: string | undefined;
}

/** Name of a figure, its value, and its share of the whole as a thin bar. The bar says nothing that the text does not say. */
function UseBar({ name, look, tip, use, beside }: UseBarProps) {
  return (
    <div data-tip={tip}>
      <p className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span>{use.figure}</span>
        {use.whole !== '' && <span className={styles.whole}>{use.whole}</span>}
      </p>
      <div className={styles.track} aria-hidden="true">
        <div className={styles[look]} style={{ transform: `scaleX(${use.share.toFixed(3)})` }} />
      </div>
      {beside !== undefined && (
        <p className={styles.beside} data-tip={beside} data-tip-if-cut>
          {beside}
        </p>
      )}
    </div>
  );
}
