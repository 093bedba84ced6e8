import type { PriorityLevel } from './configuration.ts';

/** How many seats each limited level has for sure: its part of all, by its share. Rounded up, so that all have one. */
export function assuredSeats(levels: readonly PriorityLevel[], total: number): ReadonlyMap<string, number> {
  const limited = levels.filter(({ spec }) => spec?.type === 'Limited');
  const sum = limited.reduce((shares, level) => shares + sharesOf(level), 0);
  return new Map(limited.map((level) => [level.metadata.name ?? '', Math.ceil((total * sharesOf(level)) / sum)]));
}

const sharesOf = ({ spec }: PriorityLevel) => spec?.limited?.assuredConcurrencyShares ?? 30;
