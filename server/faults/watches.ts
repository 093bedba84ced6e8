import type { Match, WatchFault } from './fault.ts';
import { fits } from './match.ts';
import type { OpenWatch } from './open-watch.ts';

type AimedWatchFault = WatchFault & { readonly match?: Match };

/** The watches that are open, and what those that are opened later shall meet. */
export class WatchFaults {
  readonly #open = new Set<OpenWatch>();
  #lags: { readonly match: Match | undefined; readonly milliseconds: number }[] = [];

  add(watch: OpenWatch, withholdsBookmarks: boolean): void {
    watch.withholdsBookmarks = withholdsBookmarks;
    for (const { match, milliseconds } of this.#lags) if (fits(watch.asked, match)) watch.lag(milliseconds);
    this.#open.add(watch);
    watch.onClose(() => this.#open.delete(watch));
  }

  /** @returns the watches that it happened to */
  meet(fault: AimedWatchFault, sendBookmarks: () => void): readonly OpenWatch[] {
    const met = [...this.#open].filter(({ asked }) => fits(asked, fault.match));
    if (fault.fault === 'sendBookmarks') this.#bookmark(met, sendBookmarks);
    else if (fault.fault === 'lagWatches') {
      this.#lags.push({ match: fault.match, milliseconds: fault.milliseconds });
      for (const watch of met) watch.lag(fault.milliseconds);
    } else {
      if (fault.fault === 'thawWatches') this.#lags = [];
      for (const watch of met) watch.meet(fault.fault);
    }
    return met;
  }

  /** All go on as if nothing had been. */
  thaw(): void {
    this.#lags = [];
    for (const watch of this.#open) watch.meet('thawWatches');
  }

  /** The server sends one to all that take bookmarks; those that are not meant leave it out. */
  #bookmark(met: readonly OpenWatch[], sendBookmarks: () => void): void {
    const spared = [...this.#open].filter((watch) => !met.includes(watch) && !watch.withholdsBookmarks);
    for (const watch of spared) watch.withholdsBookmarks = true;
    sendBookmarks();
    for (const watch of spared) watch.withholdsBookmarks = false;
  }
}
