import { UsageError } from '../flag-values.ts';
import { isBroken } from '../report/causes.ts';
import { failuresText, partyText, resultText, shortText, teethText } from '../report/console.ts';
import { exitCodeOf } from '../report/summary.ts';
import { writePartyReports } from '../report/write.ts';
import { makeProgress } from '../runner/progress.ts';
import { TargetFault } from '../target/inspect.ts';
import type { Party } from './party.ts';
import { type PlayOptions, playParty } from './play.ts';
import { checkPartyTeeth } from './self-check.ts';
import { type PartySettings, readSettings, usageOf } from './settings.ts';

const print = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** `touchstone judge PARTY`: the same face for every party. Resolves with the exit code; `usageOf` tells what each means. */
export async function judgeFace<T, C>(party: Party<T, C>, argv: readonly string[]): Promise<number> {
  try {
    return await act(party, readSettings(party, argv));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof TargetFault)) throw error;
    process.stderr.write(`touchstone judge ${party.name}: ${error.message}\n`);
    return error instanceof UsageError ? 2 : 3;
  }
}

async function act<T, C>(party: Party<T, C>, settings: PartySettings<C>): Promise<number> {
  const { rules, values, operands } = settings;
  if (settings.help) print(usageOf(party));
  else if (settings.list)
    print(rules.map(({ id, level, statement }) => `${level.padEnd(6)} ${id}  ${statement}`).join('\n'));
  else if (rules.length === 0) throw new UsageError('no rule is selected');
  else if (settings.selfCheck) return selfCheck(party, settings);
  else return judge(party, party.candidate(values, operands), settings);
  return 0;
}

async function judge<T, C>(party: Party<T, C>, candidate: T, settings: PartySettings<C>): Promise<number> {
  await party.inspect?.(candidate);
  const { rules, verbose, out } = settings;
  const report = await playParty(party, candidate, rules, playing(settings));
  if (verbose) for (const result of report.results) print(`${resultText(result)}\n`);
  print(partyText(report));
  print(`Reports: ${writePartyReports(out, party.name, report).join(', ')}`);
  const failures = failuresText(report.results);
  if (!verbose && failures) print(failures);
  return exitCodeOf(report);
}

async function selfCheck<T, C>(party: Party<T, C>, settings: PartySettings<C>): Promise<number> {
  const teeth = await checkPartyTeeth(party, settings.rules, playing(settings));
  if (settings.verbose) print(JSON.stringify(teeth, undefined, 2));
  print(teethText(teeth));
  return teeth.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

/** With its progress on the console. */
function playing<C>({ rules, timeout, workers, verbose }: PartySettings<C>): PlayOptions {
  const progress = makeProgress(rules.length);
  let played = 0;
  return {
    timeout,
    workers,
    verbose,
    onResult(result) {
      progress.step(result.verdict, isBroken(result) && !verbose ? shortText(result) : undefined);
      played += 1;
      if (played === rules.length) progress.done();
    },
  };
}
