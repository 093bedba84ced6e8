import { atOnce } from '../at-once.ts';
import type { RuleResult } from '../result.ts';
import type { TeethResult, Trial as TeethTrial } from '../sabotage/self-check.ts';
import type { Party, PartyRule } from './party.ts';
import { type PlayOptions, playParty } from './play.ts';

type Known<T, C> = Pick<Party<T, C>, 'name' | 'called' | 'open' | 'specimen' | 'dead'>;

type CheckOptions = Omit<PlayOptions, 'onResult'> & {
  /** Told of each play as soon as it ends, and whether it ended as it should. */
  readonly onPlay?: (isRight: boolean) => void;
};

const faultsOf = <C>(rules: readonly PartyRule<C>[]): readonly string[] => [
  ...new Set(rules.flatMap(({ faults }) => faults)),
];

/** How many plays it takes to check these rules. */
export const playsOf = <C>({ dead }: { readonly dead: readonly string[] }, rules: readonly PartyRule<C>[]): number =>
  rules.reduce((sum, { faults }) => sum + 1 + faults.length + dead.length, 0);

/**
 * Judges specimens of our own: a good one, which must pass, one with each fault that the rules name, under which these
 * must fail, and dead ones, on which no rule passes.
 */
export async function checkPartyTeeth<T, C>(
  party: Known<T, C>,
  rules: readonly PartyRule<C>[],
  { onPlay = () => undefined, ...options }: CheckOptions,
): Promise<TeethResult[]> {
  const telling = (isRight: (result: RuleResult) => boolean): PlayOptions => ({
    ...options,
    onResult: (result) => onPlay(isRight(result)),
  });
  const healthy = await onSpecimen(party, rules, telling(isKept));
  const first = await underFaults(options, faultsOf(rules), (fault) => {
    const own = rules.filter(({ faults }) => faults.includes(fault));
    return onSpecimen(party, own, { ...telling(hasNoticed), workers: 1 }, fault);
  });
  const trials = await playedAgain(party, rules, options, first);
  const dead = await underFaults({ ...options, workers: 1 }, party.dead, (fault) =>
    onSpecimen(
      party,
      rules,
      telling(({ verdict }) => verdict !== 'pass'),
      fault,
    ),
  );
  return healthy.map((result) => teethOf(result, trials, dead));
}

/** Plays on the specimens of all these faults, so many at once, unless the run is ended. */
async function underFaults(
  { workers, signal }: Pick<CheckOptions, 'workers' | 'signal'>,
  faults: readonly string[],
  play: (fault: string) => Promise<readonly RuleResult[]>,
): Promise<readonly Trial[]> {
  const trials = await atOnce(workers, faults, async (fault) =>
    signal?.aborted ? [] : (await play(fault)).map(trialOf(fault)),
  );
  return trials.flat();
}

/** More than so many that were not noticed are no matter of chance. */
const mostAgain = 12;

/** A busy machine is late, and who hammers is slow on it: what was not noticed is played again, with nothing beside it. */
async function playedAgain<T, C>(
  party: Known<T, C>,
  rules: readonly PartyRule<C>[],
  options: PlayOptions,
  trials: readonly Trial[],
): Promise<readonly Trial[]> {
  if (trials.filter((trial) => !hasNoticed(trial)).length > mostAgain) return trials;
  return atOnce(1, trials, async (trial) => {
    if (hasNoticed(trial) || options.signal?.aborted) return trial;
    const own = rules.filter(({ id }) => id === trial.id);
    const results = await onSpecimen(party, own, { ...options, workers: 1 }, trial.under);
    return results.map(trialOf(trial.under))[0] ?? trial;
  });
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
    ...(isKept(healthy) ? [] : [`${told(healthy)} on a good specimen`]),
    ...trials.filter((trial) => !hasNoticed(trial)).map((trial) => `${told(trial)} with the fault: ${trial.under}`),
    ...dead.filter(({ verdict }) => verdict === 'pass').map(({ under }) => `passes on a dead one: ${under}`),
  ];
  return { id: healthy.id, chapter: healthy.chapter, healthy: healthy.verdict, trials, dead, problems };
}

const isKept = ({ verdict }: RuleResult): boolean => verdict === 'pass';

/** The rule itself was seen to be broken; a should or a may only warns. */
const hasNoticed = ({ finding }: Pick<Trial, 'finding'>): boolean =>
  finding?.kind === 'assertion' || finding?.kind === 'malformed';

const told = ({ verdict, finding }: Pick<Trial, 'verdict' | 'finding'>): string =>
  finding ? `${verdict} (${finding.kind}: ${finding.message.split('\n')[0]})` : verdict;
