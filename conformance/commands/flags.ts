import { availableParallelism } from 'node:os';
import { noSuch, UsageError } from '../../mistyped.ts';
import { type Capability, capabilities } from '../capability.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { brokenIds, type Expected, readExpected, readReport, SavedError } from '../report/saved.ts';
import type { RunReport } from '../report/summary.ts';
import { type Level, levels } from '../rule.ts';
import { type ProfileName, profileNames } from '../selection/profiles.ts';
import type { Target } from '../target/target.ts';
import { readTarget, targetFlags } from '../target/target-flags.ts';
import { type Flag, flagsText, readFlags, saidIn } from './flag-table.ts';
import { hostName, oneOf, positive, seed, workers } from './flag-values.ts';

/** Every flag of `touchstone conformance`, in the order of the help. */
export const flags: readonly Flag[] = [
  {
    name: 'server',
    value: 'URL',
    help: 'judge the server at this address; without a target the reference server is started',
  },
  ...targetFlags,
  {
    name: 'lab',
    value: 'DIR',
    help: 'the server was started with the flags of this lab, which touchstone lab --dir DIR prints',
  },
  {
    name: 'launch',
    value: 'COMMAND',
    help: 'start further servers with chosen flags by this command; it must print KUBECONFIG=FILE once it serves',
  },
  {
    name: 'webhook-host',
    value: 'HOST',
    help: 'the name or address at which the server reaches webhooks on this machine (default 127.0.0.1 for a server on it)',
  },
  {
    name: 'capability',
    value: 'NAME',
    many: true,
    help: `say that the target has what cannot be seen from outside: ${Object.keys(capabilities).join(', ')}`,
  },
  {
    name: 'profile',
    value: 'NAME',
    many: true,
    help: `what the target claims to keep: ${profileNames.join(', ')}; only its rules are played, and what they need must be there`,
  },
  { name: 'rule', value: 'ID', many: true, help: 'only this rule; prints all it did' },
  { name: 'chapter', value: 'NAME', many: true, help: 'only the rules of this chapter, such as lists' },
  { name: 'level', value: 'LEVEL', many: true, help: 'only must, should or may rules' },
  { name: 'skip', value: 'ID', many: true, help: 'not this rule' },
  {
    name: 'yes',
    help: 'allow what touches the whole cluster: nodes, volumes, approvals, bootstrap tokens and webhooks; asked for on a terminal',
  },
  { name: 'disruptive', help: 'allow webhooks that see requests of others as well, and deletes of whole collections' },
  { name: 'read-only', help: 'store nothing on the target; rules that would are not judged' },
  { name: 'dry-run', help: 'show what the chosen rules would send, by playing them on the reference server instead' },
  { name: 'cleanup', help: 'remove what earlier runs have left on the target, and judge nothing' },
  { name: 'list', help: 'print the rules that would run, and run none' },
  {
    name: 'cells',
    value: 'N',
    help: 'judge a general rule in so many of its cells at most, 0 for all (default: 8 in a profile other than full, else all)',
  },
  { name: 'timeout', value: 'SECONDS', help: 'how long one rule may take (default 60)' },
  { name: 'out', value: 'DIR', help: 'folder for the reports (default ./reports)' },
  { name: 'baseline', value: 'FILE', help: 'JSON report of an earlier run; only what got worse since fails' },
  { name: 'rerun-failed', value: 'FILE', help: 'only the rules that this JSON report shows broken' },
  {
    name: 'expected',
    value: 'FILE',
    help: 'known failures, one a line: rule and reason; one that is kept by now fails',
  },
  { name: 'fail-fast', help: 'stop at the first rule that fails' },
  { name: 'keep', help: 'leave the objects that rules create' },
  {
    name: 'workers',
    value: 'N',
    help: 'workers, each of which plays 12 rules at once, and as many that wait (default: one a processor)',
  },
  { name: 'self-check', help: 'prove that each rule can fail: run it under its sabotages and on dead servers' },
  {
    name: 'oracle',
    help: 'also play generated work, and what the rules send, on the target and on the reference server and show where they differ (as profile full does)',
  },
  { name: 'no-oracle', help: 'not in profile full either' },
  { name: 'oracle-time', value: 'SECONDS', help: 'how long that may take (default 150)' },
  { name: 'oracle-seed', value: 'N', help: 'play the generated work of this number again' },
  { name: 'strict', help: 'exit with 1 also when the oracle finds a difference' },
  { name: 'help', help: 'print this' },
];

export interface Settings {
  readonly target?: Target;
  readonly launch?: readonly string[];
  readonly lab?: string;
  readonly webhookHost?: string;
  readonly capabilities: readonly Capability[];
  readonly profile: readonly ProfileName[];
  readonly rules: readonly string[];
  readonly chapters: readonly string[];
  readonly levels: readonly Level[];
  readonly skip: readonly string[];
  readonly yes: boolean;
  readonly disruptive: boolean;
  readonly readOnly: boolean;
  readonly dryRun: boolean;
  readonly cleanup: boolean;
  readonly list: boolean;
  /** In how many cells a general rule is judged at most; 0 for all. */
  readonly cells?: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly out: string;
  readonly baseline?: RunReport;
  readonly expected?: Expected;
  readonly failFast: boolean;
  readonly keep: boolean;
  readonly workers: number;
  readonly selfCheck: boolean;
  readonly oracle: boolean;
  /** Milliseconds. */
  readonly oracleTime: number;
  readonly oracleSeed?: number;
  readonly strict: boolean;
  readonly help: boolean;
}

export const usage = (): string =>
  `Usage: touchstone conformance [flags]\n\nJudges a server by the documented rules. Exit code 0: no must was broken; 1: some were; 2: wrong usage;\n3: the target cannot be judged; 4: no must was broken, but something claimed could not be judged.\n\n${flagsText(flags)}\n`;

/** Reads the command line. Throws a UsageError for what cannot be meant. */
export function readSettings(argv: readonly string[]): Settings {
  const said = saidIn(readFlags(flags, argv));
  const { text, isOn } = said;
  const { rerun, ...saved } = readSaved(text);
  const selection = readSelection(said);
  return {
    ...readJudged(said),
    ...selection,
    rules: [...selection.rules, ...rerun],
    ...saved,
    ...readOracle(said),
    yes: isOn('yes'),
    disruptive: isOn('disruptive'),
    readOnly: isOn('read-only'),
    dryRun: isOn('dry-run'),
    cleanup: isOn('cleanup'),
    list: isOn('list'),
    timeout: positive('timeout', text('timeout') ?? '60') * 1000,
    out: text('out') ?? 'reports',
    failFast: isOn('fail-fast'),
    keep: isOn('keep'),
    workers: workers(text('workers') ?? String(availableParallelism())),
    selfCheck: isOn('self-check'),
    help: isOn('help'),
  };
}

type Said = ReturnType<typeof saidIn>;

/** What is judged, and what the suite is given for it. */
function readJudged({ text, texts, isOn }: Said) {
  const target = readTarget(text, isOn('insecure-skip-tls-verify'));
  const [launch, lab, webhookHost] = [text('launch'), text('lab'), text('webhook-host')];
  return {
    ...(target ? { target } : {}),
    ...(lab ? { lab } : {}),
    ...(webhookHost ? { webhookHost: hostName(webhookHost) } : {}),
    ...(launch ? { launch: launch.trim().split(/\s+/) } : {}),
    capabilities: texts('capability').map((name) =>
      oneOf('capability', name, Object.keys(capabilities) as Capability[]),
    ),
  };
}

/** Which rules are played, and in how many of their cells. */
function readSelection({ text, texts }: Said) {
  const cells = text('cells');
  return {
    profile: texts('profile').map((name) => oneOf('profile', name, profileNames)),
    rules: texts('rule').map((id) => known('rule', id, ruleIds)),
    chapters: texts('chapter').map((name) => known('chapter', name, chapterNames)),
    levels: texts('level').map((level) => oneOf('level', level, levels)),
    skip: texts('skip').map((id) => known('skip', id, ruleIds)),
    ...(cells === undefined ? {} : { cells: seed('cells', cells) }),
  };
}

function readOracle({ text, texts, isOn }: Said) {
  const oracleSeed = text('oracle-seed');
  return {
    oracle: isOn('oracle') || (texts('profile').includes('full') && !isOn('no-oracle')),
    oracleTime: positive('oracle-time', text('oracle-time') ?? '150') * 1000,
    ...(oracleSeed === undefined ? {} : { oracleSeed: seed('oracle-seed', oracleSeed) }),
    strict: isOn('strict'),
  };
}

interface Saved {
  readonly baseline?: RunReport;
  readonly expected?: Expected;
  /** The rules to play again. */
  readonly rerun: readonly string[];
}

function readSaved(text: (name: string) => string | undefined): Saved {
  const [baseline, expected, failed] = [text('baseline'), text('expected'), text('rerun-failed')];
  try {
    const rerun = failed === undefined ? [] : brokenIds(readReport(failed));
    if (failed !== undefined && rerun.length === 0) throw new SavedError(`${failed} shows no rule broken`);
    return {
      ...(baseline === undefined ? {} : { baseline: readReport(baseline) }),
      ...(expected === undefined ? {} : { expected: readExpected(expected, ruleIds) }),
      rerun,
    };
  } catch (error) {
    if (error instanceof SavedError) throw new UsageError(error.message);
    throw error;
  }
}

const ruleIds = new Set(catalogue.map(({ id }) => id));
const chapterNames = new Set(catalogue.map(({ chapter }) => chapter));

function known(flag: string, value: string, values: ReadonlySet<string>): string {
  if (values.has(value)) return value;
  throw new UsageError(`--${flag}: ${noSuch(flag === 'chapter' ? 'chapter' : 'rule', value, values)}`);
}
