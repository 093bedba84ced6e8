import type { RuleResult } from '../result.ts';
import type { TeethResult, Trial as TeethTrial } from '../sabotage/self-check.ts';
import type { Party, PartyRule } from './party.ts';
import { type PlayOptions, playParty } from './play.ts';

type Known<T, C> = Pick<Party<T, C>, 'name' | 'called' | 'open' | 'specimen' | 'dead'>;

/**
 * Judges specimens of our own: a good one, which must pass, one with each fault that the rules name, under which these
 * must fail, and dead ones, on which no rule passes.
 */
export async function checkPartyTeeth<T, C>(
  party: Known<T, C>,
  rules: readonly PartyRule<C>[],
  { onResult, ...options }: PlayOptions,
): Promise<TeethResult[]> {
  const healthy = await onSpecimen(party, rules, { ...options, ...(onResult ? { onResult } : {}) });
  const faults = [...new Set(rules.flatMap(({ faults }) => faults))];
  const trials = await atOnce(options.workers, faults, options.signal, (fault) => {
    const own = rules.filter(({ faults }) => faults.includes(fault));
    return onSpecimen(party, own, { ...options, workers: 1 }, fault);
  });
  const dead = await atOnce(1, party.dead, options.signal, (fault) => onSpecimen(party, rules, options, fault));
  return healthy.map((result) => teethOf(result, trials, dead));
}

/** Plays on the specimens of all these faults, so many at once, unless the run is ended. */
async function atOnce(
  most: number,
  faults: readonly string[],
  signal: AbortSignal | undefined,
  play: (fault: string) => Promise<readonly RuleResult[]>,
): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  const left = faults.values();
  const work = async (): Promise<void> => {
    for (const fault of left) if (!signal?.aborted) trials.push(...(await play(fault)).map(trialOf(fault)));
  };
  await Promise.all(Array.from({ length: most }, work));
  return trials;
}

async function onSpecimen<T, C>(
  party: Known<T, C>,
  rules: readonly PartyRule<C>[],
  options: PlayOptions,
  fault?: string,
): Promise<readonly RuleResult[]> {
  const { candidate, stop } = await party.specimen(fault);
  try {
    return (await playParty(party, candidate, rules, options)).results;
  } finally {
    await stop();
  }
}

/** With the rule that it was about. */
type Trial = TeethTrial & { readonly id: string };

const trialOf =
  (under: string) =>
  ({ id, verdict, finding }: RuleResult): Trial => ({ id, under, verdict, ...(finding ? { finding } : {}) });

function teethOf(healthy: RuleResult, allTrials: readonly Trial[], allDead: readonly Trial[]): TeethResult {
  const [trials, dead] = [allTrials, allDead].map((some) => some.filter(({ id }) => id === healthy.id)) as [
    Trial[],
    Trial[],
  ];
  const problems = [
    ...(healthy.verdict === 'pass' ? [] : [`${told(healthy)} on a good specimen`]),
    ...trials.filter((trial) => !hasNoticed(trial)).map((trial) => `${told(trial)} with the fault: ${trial.under}`),
    ...dead.filter(({ verdict }) => verdict === 'pass').map(({ under }) => `passes on a dead one: ${under}`),
  ];
  return { id: healthy.id, chapter: healthy.chapter, healthy: healthy.verdict, trials, dead, problems };
}

/** The rule itself was seen to be broken; a should or a may only warns. */
const hasNoticed = ({ finding }: Trial): boolean => finding?.kind === 'assertion' || finding?.kind === 'malformed';

const told = ({ verdict, finding }: Pick<Trial, 'verdict' | 'finding'>): string =>
  finding ? `${verdict} (${finding.kind}: ${finding.message.split('\n')[0]})` : verdict;
