import { noSuch, UsageError } from '../../mistyped.ts';
import { type Flag, flagsText, readCommandLine, saidIn } from '../commands/flag-table.ts';
import { oneOf, positive, workers } from '../commands/flag-values.ts';
import { levels as allLevels, type Level } from '../rule.ts';
import type { FlagValues, Party, PartyRule } from './party.ts';

/** The flags of every judge, in the order of the help, after those of its own. */
const sharedFlags: readonly Flag[] = [
  { name: 'rule', value: 'ID', many: true, help: 'only this rule, or those whose id begins so; prints all they did' },
  { name: 'level', value: 'LEVEL', many: true, help: 'only must, should or may rules' },
  { name: 'skip', value: 'ID', many: true, help: 'not this rule, nor those whose id begins so' },
  { name: 'list', help: 'print the rules that would run, and run none' },
  { name: 'timeout', value: 'SECONDS', help: 'how long one rule may take (default 240)' },
  { name: 'workers', value: 'N', help: 'how many rules run at once (default 4)' },
  { name: 'out', value: 'DIR', help: 'folder for the reports (default ./reports)' },
  { name: 'self-check', help: 'prove that each rule can fail: judge a good one of our own, then faulty ones' },
  { name: 'help', help: 'print this' },
];

/** How a judge is asked to go about it. */
export interface PartySettings<C> {
  readonly rules: readonly PartyRule<C>[];
  /** Rules were named: everything about them is told. */
  readonly verbose: boolean;
  readonly list: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  readonly workers: number;
  readonly out: string;
  readonly selfCheck: boolean;
  readonly help: boolean;
  readonly values: FlagValues;
  readonly operands: readonly string[];
}

type AnyParty<C> = Pick<
  Party<never, C>,
  'name' | 'about' | 'examples' | 'operands' | 'flags' | 'rules' | 'specimensAtOnce'
>;

export const usageOf = <C>({ name, about, examples, operands, flags }: AnyParty<C>): string =>
  [
    `Usage: touchstone judge ${name} [flags]${operands ? ` ${operands}` : ''}`,
    about,
    'Exit code 0: no must was broken; 1: some were; 2: wrong usage; 3: there is nothing to judge; 130: ended by Ctrl-C.',
    flagsText([...flags, ...sharedFlags]),
    `Examples:\n${examples.map((rest) => `  touchstone judge ${name} ${rest}`).join('\n')}`,
  ].join('\n\n');

/** Reads the command line of a judge. @throws UsageError */
export function readSettings<C>(party: AnyParty<C>, argv: readonly string[]): PartySettings<C> {
  const { values, operands } = readCommandLine([...party.flags, ...sharedFlags], argv, party.operands !== undefined);
  const { text, texts, isOn } = saidIn(values);
  const named = texts('rule').map((id) => known(party.rules, 'rule', id));
  const skipped = texts('skip').map((id) => known(party.rules, 'skip', id));
  const levels = texts('level').map((level) => oneOf('level', level, allLevels));
  const selfCheck = isOn('self-check');
  const usualWorkers = String((selfCheck && party.specimensAtOnce) || 4);
  const isAsked = (level: Level): boolean => levels.length === 0 || levels.includes(level);
  return {
    rules: party.rules.filter(({ id, level }) => isAsked(level) && isAmong(id, named) && !isAmong(id, skipped, false)),
    verbose: named.length > 0,
    list: isOn('list'),
    timeout: positive('timeout', text('timeout') ?? '240') * 1000,
    workers: workers(text('workers') ?? usualWorkers),
    out: text('out') ?? 'reports',
    selfCheck,
    help: isOn('help'),
    values,
    operands,
  };
}

const isUnder = (id: string, name: string): boolean => id === name || id.startsWith(`${name}.`);

const isAmong = (id: string, names: readonly string[], unlessNamed = true): boolean =>
  names.length === 0 ? unlessNamed : names.some((name) => isUnder(id, name));

function known<C>(rules: readonly PartyRule<C>[], flag: string, name: string): string {
  if (rules.some(({ id }) => isUnder(id, name))) return name;
  const names = rules.flatMap(({ id }) => id.split('.').map((_, last, parts) => parts.slice(0, last + 1).join('.')));
  throw new UsageError(`--${flag}: ${noSuch('rule', name, names)}`);
}
