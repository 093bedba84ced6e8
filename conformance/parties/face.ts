import { resolve } from 'node:path';
import { UsageError } from '../../mistyped.ts';
import { kept } from '../commands/kept.ts';
import { endedCode, print, untilEnded } from '../commands/terminal.ts';
import { isBroken } from '../report/causes.ts';
import { failuresText, partyText, resultText, shortText, teethText } from '../report/console.ts';
import { exitCodeOf } from '../report/summary.ts';
import { makeOut, writeReports } from '../report/write.ts';
import { makeProgress } from '../runner/progress.ts';
import { TargetFault } from '../target/inspect.ts';
import type { Party } from './party.ts';
import { type PlayOptions, playParty } from './play.ts';
import { checkPartyTeeth, playsOf } from './self-check.ts';
import { type PartySettings, readSettings, usageOf } from './settings.ts';

const tell = (name: string, text: string): void => void process.stderr.write(`touchstone judge ${name}: ${text}\n`);

/** `touchstone judge PARTY`: the same face for every party. Resolves with the exit code; `usageOf` tells what each means. */
export async function judgeFace<T, C>(party: Party<T, C>, argv: readonly string[]): Promise<number> {
  try {
    return await act(party, readSettings(party, argv));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof TargetFault)) throw error;
    tell(party.name, error.message);
    return error instanceof UsageError ? 2 : 3;
  }
}

async function act<T, C>(party: Party<T, C>, settings: PartySettings<C>): Promise<number> {
  const { help, list, rules, values, operands } = settings;
  if (help) return print(usageOf(party));
  if (list) return print(rules.map(({ id, level, statement }) => `${level.padEnd(6)} ${id}  ${statement}`).join('\n'));
  if (rules.length === 0) throw new UsageError('no rule is selected');
  const work = settings.selfCheck
    ? (signal: AbortSignal) => selfCheck(party, settings, signal)
    : (signal: AbortSignal) => judge(party, party.candidate(values, operands), settings, signal);
  return untilEnded(work, (text) => tell(party.name, text));
}

async function judge<T, C>(
  party: Party<T, C>,
  candidate: T,
  settings: PartySettings<C>,
  signal: AbortSignal,
): Promise<number> {
  const { rules, verbose, out } = settings;
  makeOut(out);
  await party.inspect?.(candidate);
  const report = await playParty(party, candidate, rules, { ...playing(settings, signal), ...secondLook(party) });
  if (verbose) for (const result of report.results) print(`${resultText(result)}\n`);
  print(partyText(report));
  const places = (): string => `Reports: ${writeReports(resolve(out), report, party.name).join(', ')}`;
  const keptCode = kept(`--out: a report in ${out}`, places, (text) => tell(party.name, text));
  const failures = failuresText(report.results);
  if (!verbose && failures) print(failures);
  for (const line of report.left) tell(party.name, `could not remove ${line}`);
  return signal.aborted ? endedCode : exitCodeOf(report) || keptCode;
}

/** Of one that all rules meet, what is broken is judged again without the others. */
const secondLook = ({ name, isShared }: Pick<Party<never, never>, 'name' | 'isShared'>): Partial<PlayOptions> =>
  isShared ? { onSecondLook: (count) => tell(name, `${count} broken rules are judged again, one at a time`) } : {};

async function selfCheck<T, C>(party: Party<T, C>, settings: PartySettings<C>, signal: AbortSignal): Promise<number> {
  const { rules, timeout, workers, verbose } = settings;
  const progress = makeProgress(playsOf(party, rules), 'plays');
  const onPlay = (isRight: boolean): void => progress.step(isRight ? 'pass' : 'fail', undefined);
  const teeth = await checkPartyTeeth(party, rules, { timeout, workers, verbose, signal, onPlay });
  progress.done();
  if (signal.aborted) return endedCode;
  if (verbose) print(JSON.stringify(teeth, undefined, 2));
  print(teethText(teeth));
  return teeth.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

/** With its progress on the console. */
function playing<C>({ rules, timeout, workers, verbose }: PartySettings<C>, signal: AbortSignal): PlayOptions {
  const progress = makeProgress(rules.length);
  let played = 0;
  return {
    timeout,
    workers,
    verbose,
    signal,
    onResult(result) {
      progress.step(result.verdict, isBroken(result) && !verbose ? shortText(result) : undefined);
      played += 1;
      if (played === rules.length) progress.done();
    },
  };
}
