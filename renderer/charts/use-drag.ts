import { useRef, useState, type PointerEvent } from 'react';

/** Movement from which a press is a drag. */
const DRAG_PX = 4;

/** Places between which the pointer drags, from the left edge of its element. */
export interface Drag {
  readonly fromX: number;
  readonly toX: number;
}

export interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent<SVGSVGElement>) => void;
  readonly onPointerMove: (event: PointerEvent<SVGSVGElement>) => void;
  readonly onPointerUp: (event: PointerEvent<SVGSVGElement>) => void;
  readonly onPointerCancel: () => void;
}

/** Tells clicks from drags: `drag` while there is one, and whether the click that follows belongs to it. */
export function useDrag(isOn: boolean, onEnd: (drag: Drag) => void) {
  const pressedX = useRef<number>(undefined);
  const wasDrag = useRef(false);
  const [drag, setDrag] = useState<Drag>();
  const handlers: DragHandlers = {
    onPointerDown: (event) => {
      wasDrag.current = false;
      pressedX.current = isOn && event.button === 0 ? xIn(event) : undefined;
    },
    onPointerMove: (event) => {
      const fromX = pressedX.current;
      const toX = xIn(event);
      if (fromX === undefined || (drag === undefined && Math.abs(toX - fromX) < DRAG_PX)) return;
      // The pointer is captured only now because a captured one clicks on no mark.
      event.currentTarget.setPointerCapture(event.pointerId);
      wasDrag.current = true;
      setDrag({ fromX, toX });
    },
    onPointerUp: () => {
      pressedX.current = undefined;
      if (drag !== undefined) onEnd(drag);
      setDrag(undefined);
    },
    onPointerCancel: () => {
      pressedX.current = undefined;
      setDrag(undefined);
    },
  };
  /** Whether the last click ended a drag. */
  const isOfDrag = () => wasDrag.current;
  return { drag, isOfDrag, handlers };
}

/** Place of the pointer, from the left edge of the element that listens. */
export const xIn = (event: { readonly clientX: number; readonly currentTarget: SVGSVGElement }): number =>
  event.clientX - event.currentTarget.getBoundingClientRect().left;
