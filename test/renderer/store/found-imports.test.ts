import { describe, expect, it } from 'vitest';
import type { Imports } from '../../../shared/manage.ts';
import { createFoundImports } from '../../../renderer/store/found-imports.ts';
import { keepOffers, readOffers } from '../../../renderer/store/kept-view.ts';
import { aStorage, noStorage } from '../a-storage.ts';
import { createViewStore } from '../../../renderer/store/view-store.ts';

describe('the look at other clients', () => {
  it('is taken once, and anew when asked, and a failure offers nothing', async () => {
    const answers: (() => Promise<Imports>)[] = [
      () => Promise.resolve({ files: [] }),
      () => Promise.reject(new Error('no')),
    ];
    let looks = 0;
    const found = createFoundImports({ findImports: () => answers[looks++]!() });
    await Promise.all([found.look(), found.look()]);
    expect(looks).toBe(1);
    await found.lookAgain();
    expect(looks).toBe(2);
    expect(found.state.getState().imports).toEqual({ files: [] });
  });
});

describe('the offer', () => {
  it('stays settled over launches, and nothing else of the view settles it', () => {
    const storage = aStorage();
    const view = createViewStore();
    keepOffers(view, storage);
    view.setState({ search: 'a' });
    expect(readOffers(storage)).toEqual({ offersImports: true, offersSleep: true });
    view.setState({ offersImports: false });
    expect(readOffers(storage)).toEqual({ offersImports: false, offersSleep: true });
  });

  it('stands where the window has no memory', () => {
    const view = createViewStore();
    keepOffers(view, noStorage);
    view.setState({ offersImports: false });
    expect(readOffers(noStorage)).toEqual({ offersImports: true, offersSleep: true });
  });
});
