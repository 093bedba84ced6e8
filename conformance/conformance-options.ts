import { isHttpAddress } from '../http-address.ts';
import { checkKinds, noSuch, type OptionKind } from '../mistyped.ts';
import { capabilities } from './capability.ts';
import { catalogue } from './catalogue/catalogue.ts';
import type { RuleResult } from './result.ts';
import { levels } from './rule.ts';
import { type ProfileName, profileNames } from './selection/profiles.ts';
import type { Choice } from './selection/selection.ts';
import type { TargetOptions } from './target/open-target.ts';
import type { Target } from './target/target.ts';

/** What to judge, by which rules, and how; all of it may be left out. */
export interface ConformanceOptions
  extends Omit<Choice, 'profiles'>,
    Partial<Pick<TargetOptions, 'target' | 'launch' | 'lab' | 'webhookHost' | 'capabilities' | 'note'>> {
  /** What the target claims to keep: only these rules are played, and what they need must be there. */
  readonly profile?: ProfileName | readonly ProfileName[];
  /**
   * In how many cells a general rule is judged at most. Unless given: 8 where a part of the documents is claimed, all
   * otherwise; 0 is for all.
   */
  readonly cells?: number;
  /** Milliseconds one rule may take; 60 000 unless given. */
  readonly timeout?: number;
  /** Workers, each of which plays 12 rules at once, and as many that wait; 2 unless given. One thread does the work of all beside the reference server. */
  readonly workers?: number;
  readonly failFast?: boolean;
  /** Leave what rules create. */
  readonly keep?: boolean;
  /** Keep the exchanges of rules that pass, too. */
  readonly verbose?: boolean;
  /** Ends the run: rules that have begun clean up, the others are not judged. */
  readonly signal?: AbortSignal;
  /** Allows what touches the whole cluster: nodes, volumes, approvals, bootstrap tokens, webhooks. */
  readonly yes?: boolean;
  /** Allows webhooks to see requests of others, and what else others might notice. */
  readonly disruptive?: boolean;
  /** Forbids everything that would store something. */
  readonly readOnly?: boolean;
  /** Told of each rule as soon as it is known how it ends. What it throws ends the run, which cleans up first. */
  readonly onResult?: (result: RuleResult) => void;
}

/** Every option there is, and its kind; the type asks for one that is missing here. */
const kinds: Readonly<Record<keyof ConformanceOptions, OptionKind>> = {
  ...{ target: 'an object', launch: 'a list', lab: 'a text', webhookHost: 'a text', capabilities: 'a list' },
  ...{ note: 'a function', profile: 'a text or a list', rules: 'a list', chapters: 'a list', levels: 'a list' },
  ...{ skip: 'a list', withClient: 'true or false', cells: 'a number', timeout: 'a number', workers: 'a number' },
  ...{ failFast: 'true or false', keep: 'true or false', verbose: 'true or false', signal: 'an AbortSignal' },
  ...{ onResult: 'a function', yes: 'true or false', disruptive: 'true or false', readOnly: 'true or false' },
};

const known = Object.keys(kinds) as (keyof ConformanceOptions)[];

const ruleIds = catalogue.map(({ id }) => id);

/** What stands in lists; a mistyped name chooses nothing, of which nothing would be broken. */
const names = {
  rules: ['rule', ruleIds],
  skip: ['rule', ruleIds],
  chapters: ['chapter', catalogue.map(({ chapter }) => chapter)],
  levels: ['level', levels],
  capabilities: ['capability', Object.keys(capabilities)],
} as const;

/** The least and the most of what is a number. */
const numbers = { workers: [1, 256], cells: [0, 2 ** 31], timeout: [1, 86_400_000] } as const;

/** @throws TypeError for what cannot be meant: what is judged in its place would seem to be what was asked for */
export function checkOptions(options: ConformanceOptions, taken: readonly (keyof ConformanceOptions)[] = known): void {
  checkKinds(options, Object.fromEntries(taken.map((name) => [name, kinds[name]])));
  if (options.target !== undefined) checkTarget('target', options.target);
  for (const [name, [what, there]] of Object.entries(names)) {
    for (const one of options[name as keyof typeof names] ?? []) mustBeOneOf(what, String(one), there);
  }
  for (const one of [options.profile ?? []].flat()) mustBeOneOf('profile', one, profileNames);
  for (const [name, [least, most]] of Object.entries(numbers)) {
    const given = options[name as keyof typeof numbers] ?? least;
    if (!(given >= least && given <= most))
      throw new TypeError(`${name}: ${given} is no number from ${least} to ${most}`);
  }
}

function mustBeOneOf(what: string, name: string, there: readonly string[]): void {
  if (!there.includes(name)) throw new TypeError(noSuch(what, name, there));
}

const targetKinds: Readonly<Record<keyof Target, OptionKind>> = {
  ...{ url: 'a text', token: 'a text', username: 'a text', password: 'a text', serverName: 'a text' },
  ...{ certificateAuthority: 'a text', clientCertificate: 'a text', clientKey: 'a text' },
  ...{ insecure: 'true or false', proxied: 'true or false', plugin: 'an object' },
};

/** @throws TypeError where it says no address, or what it says is of another kind */
export function checkTarget(option: string, target: Partial<Target> | undefined): void {
  if (!isHttpAddress(String(target?.url))) throw new TypeError(`${option} needs a url, such as https://127.0.0.1:6443`);
  checkKinds(target, targetKinds, `${option}.`);
}
